import PasswordsExtension

PasswordsProgram.main()
