import PasswordsApp

PasswordsAppProgram.main()
