import PersonCheck

PersonCheckProgram.main(CommandLine.arguments)
