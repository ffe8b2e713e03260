/// The words of a text in lower case. A name in camel case is several words; capitals in a row are one.
func words(of text: some StringProtocol) -> [String] {
  var words: [String] = []
  var word = ""
  var previous: Character = " "
  for character in text {
    if !character.isLetter || character.isUppercase && previous.isLowercase {
      if !word.isEmpty { words.append(word) }
      word = ""
    }
    if character.isLetter { word += character.lowercased() }
    previous = character
  }
  if !word.isEmpty { words.append(word) }
  return words
}
