import Configuration
import Frost
import Panes
import RandomPanes
import TestDice
import Testing

/// The configuration of a text; its errors if there are any.
private func configuration(_ text: String) throws -> Configuration {
  try Configuration(parsing: Array(text.utf8), path: "/c/backdropd.conf", home: "/h")
}

/// The errors of a text, as lines.
private func errors(_ text: String) -> [String] {
  do {
    _ = try configuration(text)
    return []
  } catch let errors as ConfigurationErrors {
    return errors.all.map(\.description)
  } catch {
    return ["\(error)"]
  }
}

@Suite struct ConfigurationTests {
  @Test func fileDeclaresAllThatItSays() throws {
    let read = try configuration(
      """
      # A comment
      rate = 30; threads = 2;
      cache-bytes = "32M"; cache-count = 100; rotation-fade = 0;
      outputs = ( { name = "eDP-1"; scale = 2; }, { name = "HDMI-1"; scale = 1.25; }, { name = "a"; } );
      materials = {
        frost = { material = "dark"; sigma = 12.5; tint = "#10182080"; };
        ice = { material = "frost"; sigma = 20; };
      };
      panes = (
        { name = "clock"; geometry = "400x120-40+40"; material = "ice"; corner = 24; shown = false;
          content = ( { label = "12:45"; font = "Sans " "Bold 40"; }, { image = "~/a.png"; at = "8,8"; },
                      { image = "b.png"; } ); },
        { name = "terminals"; class = "kitty"; exclude = [ "title=vim" ]; },
        { name = "side"; edge = "right"; size = "25%x100%"; workarea = true; peek = 4 }
      );
      """)
    #expect(read.daemon.framesPerSecond == 30 && read.daemon.threads == 2)
    #expect(read.daemon.cacheByteCount == 32 << 20 && read.daemon.cacheTileCount == 100)
    #expect(read.daemon.rotationFade == Fade.none)
    let panes = read.panes.map(\.declared)
    #expect(panes.map(\.pane.name) == ["clock", "terminals", "side"])
    let clock = panes[0].pane.settings
    #expect(clock.material?.text == "dark" && clock.sigma == 20)
    #expect(clock.tint?.text == "#10182080" && clock.corner == Corner(radius: 24))
    #expect(!panes[0].pane.isShown && panes[1].pane.isShown)
    #expect(
      panes[0].contents == [
        DeclaredContent(image: nil, label: "12:45", attributes: ["font": "Sans Bold 40"]),
        DeclaredContent(image: "/h/a.png", label: nil, attributes: ["at": "8,8"]),
        DeclaredContent(image: "/c/b.png", label: nil, attributes: [:]),
      ])
    #expect(panes[1].pane.placement.behind != nil && panes[1].contents == nil)
    #expect(panes[2].pane.drawer?.peek == 4)
    #expect(read.panes.map(\.place.line) == [10, 13, 14])
    #expect(read.daemon.outputScales?.text == "HDMI-1=1.25,eDP-1=2")
    #expect(
      read.text.contains(
        """
        outputs = ( { name = "HDMI-1"; scale = 1.25; }, { name = "eDP-1"; scale = 2; } );
        """))
    #expect(try configuration(read.text).daemon.outputScales == read.daemon.outputScales)
  }

  /// The path is relative to the folder of the file, and what is printed declares the same.
  @Test func wallpaperIsDeclared() throws {
    let read = try configuration(
      "wallpaper = \"~/a.png\"; wallpaper-mode = \"fit\"; wallpaper-color = \"#102030\";")
    #expect(DeclaredWallpaper(read.daemon)?.text == "/h/a.png (fit)")
    #expect(read.wallpaperPlace?.line == 1)
    #expect(read.text.contains("wallpaper = \"/h/a.png\";\nwallpaper-mode = \"fit\";\n"))
    let printed = try configuration(read.text).daemon
    #expect(DeclaredWallpaper(printed) == DeclaredWallpaper(read.daemon))
    #expect(try configuration("wallpaper = \"a.png\";").daemon.wallpaper == "/c/a.png")
    #expect(try configuration("wallpaper-color = \"#000000\";").daemon.wallpaper == nil)
    #expect(
      errors("wallpaper-mode = \"zoom\";") == [
        "/c/backdropd.conf:1: wallpaper-mode: cannot read 'zoom'; it takes fill, fit, stretch, center or tile"
      ])
    #expect(
      errors("wallpaper = true;") == [
        "/c/backdropd.conf:1: wallpaper: it takes a text, such as wallpaper = \"~/wallpaper.png\";"
      ])
    #expect(errors("wallpaper = \"\";").first?.contains("it takes the path of a PNG file") == true)
  }

  @Test func emptyListOfOutputsHasNoScales() throws {
    let read = try configuration("outputs = ( );")
    #expect(read.daemon.outputScales == OutputScales())
    #expect(try configuration(read.text).daemon.outputScales == OutputScales())
  }

  @Test func emptyFileDeclaresNothing() throws {
    #expect(try configuration("") == Configuration())
    #expect(try configuration("# nothing\n") == Configuration())
  }

  /// All errors of a file are told, each with its place and what was probably meant.
  @Test func allErrorsAreTold() {
    let text = """
      rte = 60;
      threads = 99;
      cache_bytes = "32M";
      materials = {
        dark = { sigma = 3; };
        frost = { sigma = "much"; corner = 4; };
      };
      panes = (
        { geometry = "9x9+0+0"; },
        { name = "a"; geometry = "9x9+0+0"; sigmma = 3; tint = true; material = "forst"; },
        { name = "b"; geometry = "9x9+0+0"; content = ( { lable = "x"; }, { label = "x"; fnt = 3; } ); },
        { name = "c"; },
        { name = "d"; size = "auto"; anchor = "top"; },
        { name = "e"; geometry = "9x9+0+0"; shown = 1; },
        { name = "e"; geometry = "9x9+0+0"; },
        { name = "e"; geometry = "9x9+0+0"; }
      );
      """
    let found = errors(text)
    let wanted = [
      "1: there is no setting 'rte'; did you mean rate?",
      "2: threads: 99 is out of range; it takes 1 to 16",
      "3: there is no setting 'cache_bytes'; did you mean cache-bytes?",
      "5: material 'dark': backdropd has a material of this name; choose another one",
      "6: material 'frost': there is no setting 'corner'; there are: ",
      "6: material 'frost': sigma: cannot read 'much'; it takes a number, such as sigma = 1.5;",
      "9: a pane needs a name, such as name = \"clock\";",
      "10: pane 'a': there is no setting 'sigmma'; did you mean sigma?",
      "10: pane 'a': tint: cannot read 'true'; it takes a text, such as tint = \"...\";",
      "10: pane 'a': there is no material named 'forst'; did you mean frost",
      "11: pane 'b': content: each is a group with either 'image' or 'label'",
      "11: pane 'b': content: there is no attribute of a label 'fnt'; did you mean font?",
      "12: pane 'c': ",
      "13: pane 'd': ",
      "14: pane 'e': shown: it takes true or false",
      "16: pane 'e': there is one of this name above",
    ].map { "/c/backdropd.conf:" + $0 }
    for text in wanted {
      #expect(found.contains { $0.hasPrefix(text) }, "\(text)\n\(found.joined(separator: "\n"))")
    }
    #expect(found.count == wanted.count, "\(found.joined(separator: "\n"))")
  }

  @Test func settingsAreListedOnce() throws {
    let found = try #require(errors("panes = ( { name = \"a\"; zzzzzz = 1; } );").first)
    let names = try #require(found.split(separator: "there are: ").last).split(separator: ", ")
    #expect(names.contains("content") && Set(names).count == names.count, "\(found)")
  }

  @Test(arguments: [
    ("panes = (\n { name = \"a\"; tint = #FF0000; }\n);", "tint = \"#FF0000\";"),
    (
      "materials = {\n a = {\n material = dark;\n };\n};",
      "3: syntax error; a text must be in quotes"
    ),
    ("panes = ({ name = 'a'; });", "in quotes"),
    ("cache-bytes = 32M;", "cache-bytes = \"32M\";"), ("panes = (", "1: syntax error"),
    ("rate = 1;\n/* rate = 2;\n\n", "2: this comment has no end"),
    ("rate = 1;\n\"rate = 2;\n", "2: this text has no quote"), ("rate = 1 /*", "1: this comment"),
    ("rate = 1; rate = 2;", "1: duplicate setting name"), ("@include \"none.conf\"\n", "relative"),
  ])
  func syntaxErrorSaysWhatIsMeant(text: String, part: String) {
    let found = errors(text)
    #expect(found.count == 1 && found[0].contains(part), "\(found)")
  }

  @Test(arguments: [
    ("outputs = \"eDP-1=2\";", "it takes a list of groups"),
    ("outputs = ( 2 );", "each is a group with a name"),
    ("outputs = ( { scale = 2; } );", "each is a group with a name"),
    ("outputs = ( { name = \"a\"; scale = \"2\"; } );", "scale: it takes a number"),
    (
      "outputs = ( { name = \"a\"; scale = 9; } );",
      "a=9 is out of range; it takes scales from 0.5 to 8"
    ),
    ("outputs = ( { name = \"a\"; scal = 2; } );", "did you mean scale?"),
    ("outputs = ( { name = \"a,b\"; scale = 2; } );", "without , and ="),
    (
      "outputs = ( { name = \"a\"; scale = 2; }, { name = \"a\"; scale = 2; } );",
      "one scale for each output"
    ),
  ])
  func wrongOutputIsNamed(text: String, part: String) {
    let found = errors(text)
    #expect(found.count == 1 && found[0].contains(part), "\(found)")
  }

  @Test(arguments: ["rate = 1;\nname = \"\u{0}\";", "a"])
  func textIsChecked(text: String) {
    #expect(errors(text).count == 1)
  }

  @Test func invalidTextIsNamed() {
    do {
      _ = try Configuration(parsing: Array("a = 1;\nb = \"".utf8) + [0xff, 0x22], path: "x")
      Issue.record("it is not UTF-8")
    } catch {
      let hint = "another byte of a file name is written as \\xE9"
      #expect(error.all.map(\.description) == ["x:2: this line is not text in UTF-8; \(hint)"])
    }
  }
}
