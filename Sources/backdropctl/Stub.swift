@main enum Stub { static func main() {} }
