# fish completion for keyway, written by `keyway completions fish`.
function __keyway_at
    set -l place keyway
    for word in (commandline -opc)[2..]
        switch "$place $word"
            case 'keyway status' \
                'keyway setup' \
                'keyway doctor' \
                'keyway providers' \
                'keyway providers list' \
                'keyway providers show' \
                'keyway providers enable' \
                'keyway providers disable' \
                'keyway providers order' \
                'keyway providers approve' \
                'keyway providers revoke' \
                'keyway providers configure' \
                'keyway providers debug' \
                'keyway provider' \
                'keyway provider new' \
                'keyway provider test' \
                'keyway clients' \
                'keyway clients list' \
                'keyway clients approve' \
                'keyway clients allow' \
                'keyway clients refuse' \
                'keyway clients forget' \
                'keyway clients rename' \
                'keyway suggest' \
                'keyway fill' \
                'keyway code' \
                'keyway insert' \
                'keyway save' \
                'keyway generate' \
                'keyway answer' \
                'keyway passwords' \
                'keyway passwords init' \
                'keyway passwords unlock' \
                'keyway passwords lock' \
                'keyway passwords change-master' \
                'keyway passwords renew-key' \
                'keyway passwords backup' \
                'keyway passwords restore-backup' \
                'keyway passwords add' \
                'keyway passwords show' \
                'keyway passwords edit' \
                'keyway passwords remove' \
                'keyway passwords restore' \
                'keyway passwords list' \
                'keyway passwords search' \
                'keyway passwords generate' \
                'keyway import' \
                'keyway verification' \
                'keyway verification set' \
                'keyway verification pin' \
                'keyway verification pin set' \
                'keyway verification pin remove' \
                'keyway history' \
                'keyway history clear' \
                'keyway completions' \
                'keyway help'
                set place "$place $word"
        end
    end
    test "$place" = "$argv"
end
complete -c keyway -f
complete -c keyway -n '__keyway_at keyway' -a status -d 'Show whether Keyway is running, and which providers run'
complete -c keyway -n '__keyway_at keyway' -a setup -d 'Set up Keyway: Passwords, its vault, a PIN and your browsers'
complete -c keyway -n '__keyway_at keyway' -a doctor -d 'Check the installation and say how to fix problems'
complete -c keyway -n '__keyway_at keyway' -a providers -d 'List providers, turn them on and off, and set them up'
complete -c keyway -n '__keyway_at keyway' -a provider -d 'Create and test your own provider'
complete -c keyway -n '__keyway_at keyway' -a clients -d 'List programs that asked to use Keyway, and allow or block them'
complete -c keyway -n '__keyway_at keyway' -a suggest -d 'List the accounts for a site'
complete -c keyway -n '__keyway_at keyway' -a fill -d 'Print the password of an account'
complete -c keyway -n '__keyway_at keyway' -a code -d 'Print a one-time code'
complete -c keyway -n '__keyway_at keyway' -a insert -d 'Print a text that you pick from a provider\'s list'
complete -c keyway -n '__keyway_at keyway' -a save -d 'Save a password with a provider'
complete -c keyway -n '__keyway_at keyway' -a generate -d 'Print a new password suggested by a provider'
complete -c keyway -n '__keyway_at keyway' -a answer -d 'Answer an app\'s request in this terminal'
complete -c keyway -n '__keyway_at keyway' -a passwords -d 'Keep passwords and passkeys in an encrypted vault'
complete -c keyway -n '__keyway_at keyway' -a import -d 'Show what another password manager exported'
complete -c keyway -n '__keyway_at keyway' -a verification -d 'Show how and when Keyway verifies you'
complete -c keyway -n '__keyway_at keyway' -a history -d 'List what was filled, saved, refused and approved, newest first'
complete -c keyway -n '__keyway_at keyway' -a completions -d 'Print the completions for a shell'
complete -c keyway -n '__keyway_at keyway' -a help -d 'Explain a command'
complete -c keyway -n '__keyway_at keyway' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway' -l version -s V -d 'Print the version'
complete -c keyway -n '__keyway_at keyway status' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway status' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway setup' -l yes -d 'Don\'t ask for confirmation'
complete -c keyway -n '__keyway_at keyway setup' -l unconfined -d 'Let it run even if this computer can\'t sandbox it fully'
complete -c keyway -n '__keyway_at keyway setup' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway setup' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway doctor' -l fix -d 'Fix what can be fixed without asking'
complete -c keyway -n '__keyway_at keyway doctor' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway doctor' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway providers' -a list -d 'List the installed providers'
complete -c keyway -n '__keyway_at keyway providers' -a show -d 'Show everything Keyway knows about a provider'
complete -c keyway -n '__keyway_at keyway providers' -a enable -d 'Turn on a provider'
complete -c keyway -n '__keyway_at keyway providers' -a disable -d 'Turn off a provider'
complete -c keyway -n '__keyway_at keyway providers' -a order -d 'Change the order of the providers that are turned on'
complete -c keyway -n '__keyway_at keyway providers' -a approve -d 'Let an app act for a provider'
complete -c keyway -n '__keyway_at keyway providers' -a revoke -d 'Stop an app from acting for a provider'
complete -c keyway -n '__keyway_at keyway providers' -a configure -d 'Open a provider\'s setup screen'
complete -c keyway -n '__keyway_at keyway providers' -a debug -d 'Run a provider for debugging'
complete -c keyway -n '__keyway_at keyway providers' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway providers list' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway providers list' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway providers show' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway providers show' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway providers enable' -l yes -d 'Don\'t ask for confirmation'
complete -c keyway -n '__keyway_at keyway providers enable' -l unconfined -d 'Let it run even if this computer can\'t sandbox it fully'
complete -c keyway -n '__keyway_at keyway providers enable' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway providers enable' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway providers disable' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway providers disable' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway providers order' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway providers order' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway providers approve' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway providers approve' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway providers revoke' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway providers revoke' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway providers configure' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway providers configure' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway providers debug' -l wait -d 'Start the extension stopped, until a debugger continues it'
complete -c keyway -n '__keyway_at keyway providers debug' -l configure -d 'Open its setup screen'
complete -c keyway -n '__keyway_at keyway providers debug' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway providers debug' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway provider' -a new -d 'Create a package for a new provider'
complete -c keyway -n '__keyway_at keyway provider' -a test -d 'Check a provider bundle, rule by rule'
complete -c keyway -n '__keyway_at keyway provider' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway provider new' -l directory -x -d 'Create it in FOLDER instead of here'
complete -c keyway -n '__keyway_at keyway provider new' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway provider new' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway provider test' -l rule -x -d 'Check only this rule'
complete -c keyway -n '__keyway_at keyway provider test' -l list-rules -d 'List the rules and check nothing'
complete -c keyway -n '__keyway_at keyway provider test' -l record -x -d 'The ID of a record to test with, if the provider doesn\'t announce any'
complete -c keyway -n '__keyway_at keyway provider test' -l user -x -d 'The user name of that record'
complete -c keyway -n '__keyway_at keyway provider test' -l service -x -d 'The site of that record: a URL or domain name'
complete -c keyway -n '__keyway_at keyway provider test' -l type-from -x -d 'Type the first line of FILE when the provider asks for a secret'
complete -c keyway -n '__keyway_at keyway provider test' -l home -x -d 'Give the provider a copy of FOLDER as its home folder'
complete -c keyway -n '__keyway_at keyway provider test' -l leaves -x -d 'Let the provider leave PROGRAM running, such as an agent that it only wakes'
complete -c keyway -n '__keyway_at keyway provider test' -l requests -x -d 'How many requests it must handle without using more memory (default: 10000)'
complete -c keyway -n '__keyway_at keyway provider test' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway provider test' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway clients' -a list -d 'List programs that asked to use Keyway, waiting ones first'
complete -c keyway -n '__keyway_at keyway clients' -a approve -d 'Let a program use Keyway'
complete -c keyway -n '__keyway_at keyway clients' -a allow -d 'Let a browser profile fill a site for the first time'
complete -c keyway -n '__keyway_at keyway clients' -a refuse -d 'Block a program and close its connections'
complete -c keyway -n '__keyway_at keyway clients' -a forget -d 'Forget your decision about a program and close its connections'
complete -c keyway -n '__keyway_at keyway clients' -a rename -d 'Rename a program in the list'
complete -c keyway -n '__keyway_at keyway clients' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway clients' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway clients list' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway clients list' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway clients approve' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway clients approve' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway clients allow' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway clients allow' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway clients refuse' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway clients refuse' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway clients forget' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway clients forget' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway clients rename' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway clients rename' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway suggest' -l limit -x -d 'List at most N accounts (default: 50)'
complete -c keyway -n '__keyway_at keyway suggest' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway suggest' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway fill' -l user -x -d 'Use the account NAME'
complete -c keyway -n '__keyway_at keyway fill' -l field -x -a 'username password' -d 'Print username or password (default: password)'
complete -c keyway -n '__keyway_at keyway fill' -l code -d 'Print a one-time code instead'
complete -c keyway -n '__keyway_at keyway fill' -l text -d 'Print another text that you pick from the provider\'s list instead, as `keyway insert` does'
complete -c keyway -n '__keyway_at keyway fill' -l provider -x -d 'Ask only this provider'
complete -c keyway -n '__keyway_at keyway fill' -l record -x -d 'Use the account with this record ID, as `keyway suggest --json` shows it'
complete -c keyway -n '__keyway_at keyway fill' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway fill' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway code' -l user -x -d 'Use the account NAME'
complete -c keyway -n '__keyway_at keyway code' -l provider -x -d 'Ask only this provider'
complete -c keyway -n '__keyway_at keyway code' -l record -x -d 'Use the account with this record ID, as `keyway suggest --json` shows it'
complete -c keyway -n '__keyway_at keyway code' -l add -d 'Set up the codes of a link (otpauth: or otpauth-migration:)'
complete -c keyway -n '__keyway_at keyway code' -l qr -d 'Show the QR code that moves the code to a phone; only for codes of Passwords'
complete -c keyway -n '__keyway_at keyway code' -l output -x -d 'Write the QR code to FILE as a PNG picture that only you can read'
complete -c keyway -n '__keyway_at keyway code' -l force -d 'Replace FILE if it is there already'
complete -c keyway -n '__keyway_at keyway code' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway code' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway insert' -l provider -x -d 'Ask only this provider'
complete -c keyway -n '__keyway_at keyway insert' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway insert' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway save' -l user -x -d 'The user name of the account'
complete -c keyway -n '__keyway_at keyway save' -l title -x -d 'A title for the account'
complete -c keyway -n '__keyway_at keyway save' -l list-never -d 'List the sites where Keyway never offers to save passwords'
complete -c keyway -n '__keyway_at keyway save' -l ask-again -d 'Offer to save passwords on the site SERVICE again'
complete -c keyway -n '__keyway_at keyway save' -l provider -x -d 'Ask only this provider'
complete -c keyway -n '__keyway_at keyway save' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway save' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway generate' -l kind -x -d 'Use the suggestion of this kind, such as STRONG'
complete -c keyway -n '__keyway_at keyway generate' -l rules -x -d 'The site\'s password rules, as in the passwordrules attribute of a form field'
complete -c keyway -n '__keyway_at keyway generate' -l provider -x -d 'Ask only this provider'
complete -c keyway -n '__keyway_at keyway generate' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway generate' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway answer' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway answer' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway passwords' -a init -d 'Create the vault'
complete -c keyway -n '__keyway_at keyway passwords' -a unlock -d 'Unlock the vault for this terminal and for filling'
complete -c keyway -n '__keyway_at keyway passwords' -a lock -d 'Lock the vault everywhere'
complete -c keyway -n '__keyway_at keyway passwords' -a change-master -d 'Change the master password'
complete -c keyway -n '__keyway_at keyway passwords' -a renew-key -d 'Give the vault a new key and keep the master password'
complete -c keyway -n '__keyway_at keyway passwords' -a backup -d 'Save the whole vault in one file'
complete -c keyway -n '__keyway_at keyway passwords' -a restore-backup -d 'Make a backup your vault'
complete -c keyway -n '__keyway_at keyway passwords' -a add -d 'Add an item'
complete -c keyway -n '__keyway_at keyway passwords' -a show -d 'Show an item'
complete -c keyway -n '__keyway_at keyway passwords' -a edit -d 'Change an item'
complete -c keyway -n '__keyway_at keyway passwords' -a remove -d 'Remove an item and its history'
complete -c keyway -n '__keyway_at keyway passwords' -a restore -d 'Undo what a site reported about an item'
complete -c keyway -n '__keyway_at keyway passwords' -a list -d 'List all items'
complete -c keyway -n '__keyway_at keyway passwords' -a search -d 'List the items that contain all the words'
complete -c keyway -n '__keyway_at keyway passwords' -a generate -d 'Print a random password without storing it'
complete -c keyway -n '__keyway_at keyway passwords' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway passwords init' -l memory -x -d 'Memory that each guess of the master password takes (default: 256)'
complete -c keyway -n '__keyway_at keyway passwords init' -l passes -x -d 'Passes over that memory (default: 3)'
complete -c keyway -n '__keyway_at keyway passwords init' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway passwords init' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway passwords unlock' -l accept-older-copy -d 'Accept a vault file that is older than the last one used here'
complete -c keyway -n '__keyway_at keyway passwords unlock' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway passwords unlock' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway passwords lock' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway passwords lock' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway passwords change-master' -l memory -x -d 'Memory that each guess of the master password takes (default: 256)'
complete -c keyway -n '__keyway_at keyway passwords change-master' -l passes -x -d 'Passes over that memory (default: 3)'
complete -c keyway -n '__keyway_at keyway passwords change-master' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway passwords change-master' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway passwords renew-key' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway passwords renew-key' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway passwords backup' -l force -d 'Replace PATH if it is there already'
complete -c keyway -n '__keyway_at keyway passwords backup' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway passwords backup' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway passwords restore-backup' -l replace -d 'Restore it although there is a vault; that one is kept under another name'
complete -c keyway -n '__keyway_at keyway passwords restore-backup' -l yes -d 'Don\'t ask for confirmation'
complete -c keyway -n '__keyway_at keyway passwords restore-backup' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway passwords restore-backup' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway passwords add' -l user -x -d 'The user name'
complete -c keyway -n '__keyway_at keyway passwords add' -l address -x -d 'A site to sign in to: a URL or domain name'
complete -c keyway -n '__keyway_at keyway passwords add' -l tag -x -d 'A word to group items by'
complete -c keyway -n '__keyway_at keyway passwords add' -l use -x -a 'everywhere forms basic' -d 'Where its password is offered: everywhere, only in forms, or only for HTTP\'s own sign-in'
complete -c keyway -n '__keyway_at keyway passwords add' -l generate -d 'Create a random password of LENGTH characters (default: 20) instead of asking'
complete -c keyway -n '__keyway_at keyway passwords add' -l notes -d 'Ask for notes'
complete -c keyway -n '__keyway_at keyway passwords add' -l custom -x -d 'Ask for the value of a hidden field named FIELD'
complete -c keyway -n '__keyway_at keyway passwords add' -l code -d 'Ask for the link (otpauth:) or the secret of its one-time codes'
complete -c keyway -n '__keyway_at keyway passwords add' -l code-image -x -d 'Take that link from the QR code in a PNG or JPEG picture'
complete -c keyway -n '__keyway_at keyway passwords add' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway passwords add' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway passwords show' -l account -x -d 'Use the item of USER, if several have the same title'
complete -c keyway -n '__keyway_at keyway passwords show' -l passkey -d 'Use the passkey, if a password has the same title'
complete -c keyway -n '__keyway_at keyway passwords show' -l field -x -d 'Print only one field: title, user, password, address, notes, tags, or a custom one'
complete -c keyway -n '__keyway_at keyway passwords show' -l section -x -d 'Show only section N: a card, a file or whatever else the item holds'
complete -c keyway -n '__keyway_at keyway passwords show' -l reveal -d 'Show the secrets too'
complete -c keyway -n '__keyway_at keyway passwords show' -l history -d 'Show earlier passwords too; needs --reveal'
complete -c keyway -n '__keyway_at keyway passwords show' -l code-qr -d 'Show the QR code that moves its one-time code to a phone; with --section N, the code of that section'
complete -c keyway -n '__keyway_at keyway passwords show' -l output -x -d 'Write the QR code to FILE as a PNG picture that only you can read'
complete -c keyway -n '__keyway_at keyway passwords show' -l force -d 'Replace FILE if it is there already'
complete -c keyway -n '__keyway_at keyway passwords show' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway passwords show' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway passwords edit' -l account -x -d 'Use the item of USER, if several have the same title'
complete -c keyway -n '__keyway_at keyway passwords edit' -l passkey -d 'Use the passkey, if a password has the same title'
complete -c keyway -n '__keyway_at keyway passwords edit' -l title -x -d 'The new title'
complete -c keyway -n '__keyway_at keyway passwords edit' -l password -d 'Ask for a new password; the old one moves to the history'
complete -c keyway -n '__keyway_at keyway passwords edit' -l add-code -d 'Ask for one more one-time code, beside those that the item has'
complete -c keyway -n '__keyway_at keyway passwords edit' -l remove-section -x -d 'Remove section N, as `show` numbers them'
complete -c keyway -n '__keyway_at keyway passwords edit' -l user -x -d 'The user name'
complete -c keyway -n '__keyway_at keyway passwords edit' -l address -x -d 'A site to sign in to: a URL or domain name'
complete -c keyway -n '__keyway_at keyway passwords edit' -l tag -x -d 'A word to group items by'
complete -c keyway -n '__keyway_at keyway passwords edit' -l use -x -a 'everywhere forms basic' -d 'Where its password is offered: everywhere, only in forms, or only for HTTP\'s own sign-in'
complete -c keyway -n '__keyway_at keyway passwords edit' -l generate -d 'Create a random password of LENGTH characters (default: 20) instead of asking'
complete -c keyway -n '__keyway_at keyway passwords edit' -l notes -d 'Ask for notes'
complete -c keyway -n '__keyway_at keyway passwords edit' -l custom -x -d 'Ask for the value of a hidden field named FIELD'
complete -c keyway -n '__keyway_at keyway passwords edit' -l code -d 'Ask for the link (otpauth:) or the secret of its one-time codes'
complete -c keyway -n '__keyway_at keyway passwords edit' -l code-image -x -d 'Take that link from the QR code in a PNG or JPEG picture'
complete -c keyway -n '__keyway_at keyway passwords edit' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway passwords edit' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway passwords remove' -l account -x -d 'Use the item of USER, if several have the same title'
complete -c keyway -n '__keyway_at keyway passwords remove' -l passkey -d 'Use the passkey, if a password has the same title'
complete -c keyway -n '__keyway_at keyway passwords remove' -l yes -d 'Don\'t ask for confirmation'
complete -c keyway -n '__keyway_at keyway passwords remove' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway passwords remove' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway passwords restore' -l account -x -d 'Use the item of USER, if several have the same title'
complete -c keyway -n '__keyway_at keyway passwords restore' -l passkey -d 'Use the passkey, if a password has the same title'
complete -c keyway -n '__keyway_at keyway passwords restore' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway passwords restore' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway passwords list' -l passkeys -d 'List only passkeys'
complete -c keyway -n '__keyway_at keyway passwords list' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway passwords list' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway passwords search' -l passkeys -d 'List only passkeys'
complete -c keyway -n '__keyway_at keyway passwords search' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway passwords search' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway passwords generate' -l length -x -d 'Number of characters (default: 20)'
complete -c keyway -n '__keyway_at keyway passwords generate' -l no-digits -d 'Leave out digits'
complete -c keyway -n '__keyway_at keyway passwords generate' -l no-symbols -d 'Use only letters and digits'
complete -c keyway -n '__keyway_at keyway passwords generate' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway passwords generate' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway import' -l preview -d 'Show what is in the files'
complete -c keyway -n '__keyway_at keyway import' -l columns -x -d 'Read any CSV file: which column holds what, as in title=Name,url=Website'
complete -c keyway -n '__keyway_at keyway import' -l reveal -d 'Show the secrets too, with --json'
complete -c keyway -n '__keyway_at keyway import' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway import' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway verification' -a set -d 'Change when Keyway verifies you'
complete -c keyway -n '__keyway_at keyway verification' -a pin -d 'Set or remove the Keyway PIN'
complete -c keyway -n '__keyway_at keyway verification' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway verification' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway verification set' -l rule -x -a 'when-set-up always never default' -d 'Use when-set-up (a fingerprint or a PIN), always or never; default resets it'
complete -c keyway -n '__keyway_at keyway verification set' -l grace -x -d 'How long a verification lasts'
complete -c keyway -n '__keyway_at keyway verification set' -l provider -x -d 'Set the rule only for this provider'
complete -c keyway -n '__keyway_at keyway verification set' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway verification set' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway verification pin' -a set -d 'Set the PIN'
complete -c keyway -n '__keyway_at keyway verification pin' -a remove -d 'Remove the PIN'
complete -c keyway -n '__keyway_at keyway verification pin' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway verification pin set' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway verification pin set' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway verification pin remove' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway verification pin remove' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway history' -a clear -d 'Clear the history'
complete -c keyway -n '__keyway_at keyway history' -l limit -x -d 'List at most N entries (default: 100)'
complete -c keyway -n '__keyway_at keyway history' -l since -x -d 'List entries since a day such as 2026-11-22, or since 30m, 24h, 7d or 2w ago'
complete -c keyway -n '__keyway_at keyway history' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway history' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway history clear' -l yes -d 'Don\'t ask for confirmation'
complete -c keyway -n '__keyway_at keyway history clear' -l json -d 'Print one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway history clear' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway completions' -a 'bash zsh fish'
complete -c keyway -n '__keyway_at keyway completions' -l help -s h -d 'Explain the command'
complete -c keyway -n '__keyway_at keyway help' -l help -s h -d 'Explain the command'
