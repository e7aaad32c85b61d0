"""What a person does with the installed system, before anybody attacks it."""


def test_a_password_is_kept_and_filled(vault):
    assert vault.open_terminal.keyway("fill https://a.example") == "password of alpha\n"
