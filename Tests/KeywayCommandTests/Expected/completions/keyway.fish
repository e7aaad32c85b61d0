# fish completion for keyway, written by `keyway completions fish`.
function __keyway_at
    set -l place keyway
    for word in (commandline -opc)[2..]
        switch "$place $word"
            case 'keyway status' \
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
                'keyway save' \
                'keyway generate' \
                'keyway answer' \
                'keyway passwords' \
                'keyway passwords init' \
                'keyway passwords unlock' \
                'keyway passwords lock' \
                'keyway passwords change-master' \
                'keyway passwords renew-key' \
                'keyway passwords add' \
                'keyway passwords show' \
                'keyway passwords edit' \
                'keyway passwords remove' \
                'keyway passwords restore' \
                'keyway passwords list' \
                'keyway passwords search' \
                'keyway passwords generate' \
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
complete -c keyway -n '__keyway_at keyway' -a status -d 'Shows whether the broker runs, and what runs under it'
complete -c keyway -n '__keyway_at keyway' -a doctor -d 'Checks every part, and says what to do'
complete -c keyway -n '__keyway_at keyway' -a providers -d 'Lists providers, turns them on and off, and sets them up'
complete -c keyway -n '__keyway_at keyway' -a provider -d 'Helps to write a provider'
complete -c keyway -n '__keyway_at keyway' -a clients -d 'Lists the programs that asked, and lets them ask or not'
complete -c keyway -n '__keyway_at keyway' -a suggest -d 'Lists the accounts for a service'
complete -c keyway -n '__keyway_at keyway' -a fill -d 'Prints the password of an account'
complete -c keyway -n '__keyway_at keyway' -a save -d 'Offers a password to a provider, to keep'
complete -c keyway -n '__keyway_at keyway' -a generate -d 'Prints a password that a provider proposes for a service'
complete -c keyway -n '__keyway_at keyway' -a answer -d 'Answers in this terminal what an app asks'
complete -c keyway -n '__keyway_at keyway' -a passwords -d 'Keeps passwords and passkeys in an encrypted vault'
complete -c keyway -n '__keyway_at keyway' -a verification -d 'Shows how you can be verified on this machine, and when that is done'
complete -c keyway -n '__keyway_at keyway' -a history -d 'Lists what was filled, saved, refused and approved, the newest first'
complete -c keyway -n '__keyway_at keyway' -a completions -d 'Prints the completions for a shell'
complete -c keyway -n '__keyway_at keyway' -a help -d 'Explains a command'
complete -c keyway -n '__keyway_at keyway' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway' -l version -s V -d 'Prints the release'
complete -c keyway -n '__keyway_at keyway status' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway status' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway doctor' -l fix -d 'Repairs what can be repaired without asking'
complete -c keyway -n '__keyway_at keyway doctor' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway doctor' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway providers' -a list -d 'Lists the installed providers'
complete -c keyway -n '__keyway_at keyway providers' -a show -d 'Shows all that is known of a provider'
complete -c keyway -n '__keyway_at keyway providers' -a enable -d 'Turns a provider on'
complete -c keyway -n '__keyway_at keyway providers' -a disable -d 'Turns a provider off'
complete -c keyway -n '__keyway_at keyway providers' -a order -d 'Puts the enabled providers in an order'
complete -c keyway -n '__keyway_at keyway providers' -a approve -d 'Lets a provider\'s app act for it'
complete -c keyway -n '__keyway_at keyway providers' -a revoke -d 'Lets a provider\'s app act for it no longer'
complete -c keyway -n '__keyway_at keyway providers' -a configure -d 'Shows the interface with which a provider is set up'
complete -c keyway -n '__keyway_at keyway providers' -a debug -d 'Lets the author of a provider look at it with a debugger'
complete -c keyway -n '__keyway_at keyway providers' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway providers list' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway providers list' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway providers show' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway providers show' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway providers enable' -l yes -d 'Does not ask'
complete -c keyway -n '__keyway_at keyway providers enable' -l unconfined -d 'Lets it run also where this machine cannot confine it fully'
complete -c keyway -n '__keyway_at keyway providers enable' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway providers enable' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway providers disable' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway providers disable' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway providers order' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway providers order' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway providers approve' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway providers approve' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway providers revoke' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway providers revoke' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway providers configure' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway providers configure' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway providers debug' -l wait -d 'Starts the extension stopped, until a debugger lets it go on'
complete -c keyway -n '__keyway_at keyway providers debug' -l configure -d 'Asks it for the interface with which it is set up'
complete -c keyway -n '__keyway_at keyway providers debug' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway providers debug' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway provider' -a new -d 'Makes a package that a new provider begins with'
complete -c keyway -n '__keyway_at keyway provider' -a test -d 'Judges the bundle of a provider, rule by rule'
complete -c keyway -n '__keyway_at keyway provider' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway provider new' -l directory -x -d 'Makes it in FOLDER instead of here'
complete -c keyway -n '__keyway_at keyway provider new' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway provider new' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway provider test' -l rule -x -d 'Looks at this rule only'
complete -c keyway -n '__keyway_at keyway provider test' -l list-rules -d 'Lists the rules and looks at nothing'
complete -c keyway -n '__keyway_at keyway provider test' -l record -x -d 'A record that the provider has, where it tells of none'
complete -c keyway -n '__keyway_at keyway provider test' -l user -x -d 'The user name of that record'
complete -c keyway -n '__keyway_at keyway provider test' -l service -x -d 'Where that record signs in to: a URL or domain name'
complete -c keyway -n '__keyway_at keyway provider test' -l type-from -x -d 'Types the first line of FILE where the provider asks for a secret'
complete -c keyway -n '__keyway_at keyway provider test' -l home -x -d 'Gives the provider a copy of FOLDER as its home'
complete -c keyway -n '__keyway_at keyway provider test' -l leaves -x -d 'Lets the provider leave PROGRAM running: an agent that it only wakes'
complete -c keyway -n '__keyway_at keyway provider test' -l requests -x -d 'How many requests it must stand without growing (10000)'
complete -c keyway -n '__keyway_at keyway provider test' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway provider test' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway clients' -a list -d 'Lists the programs that asked, those first that wait'
complete -c keyway -n '__keyway_at keyway clients' -a approve -d 'Lets a program ask'
complete -c keyway -n '__keyway_at keyway clients' -a allow -d 'Lets a browser\'s profile fill a site for the first time'
complete -c keyway -n '__keyway_at keyway clients' -a refuse -d 'Lets a program ask no longer, and ends its connections'
complete -c keyway -n '__keyway_at keyway clients' -a forget -d 'Forgets what was said to a program, and ends its connections'
complete -c keyway -n '__keyway_at keyway clients' -a rename -d 'Gives a program a name of your own'
complete -c keyway -n '__keyway_at keyway clients' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway clients' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway clients list' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway clients list' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway clients approve' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway clients approve' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway clients allow' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway clients allow' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway clients refuse' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway clients refuse' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway clients forget' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway clients forget' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway clients rename' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway clients rename' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway suggest' -l limit -x -d 'Lists no more than N (50)'
complete -c keyway -n '__keyway_at keyway suggest' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway suggest' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway fill' -l user -x -d 'Takes the account of NAME'
complete -c keyway -n '__keyway_at keyway fill' -l field -x -a 'username password' -d 'Prints username or password (password)'
complete -c keyway -n '__keyway_at keyway fill' -l code -d 'Prints a one-time code instead'
complete -c keyway -n '__keyway_at keyway fill' -l text -d 'Prints a text that the provider lets choose instead'
complete -c keyway -n '__keyway_at keyway fill' -l provider -x -d 'Asks this provider only'
complete -c keyway -n '__keyway_at keyway fill' -l record -x -d 'Takes the account that its provider calls RECORD'
complete -c keyway -n '__keyway_at keyway fill' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway fill' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway save' -l user -x -d 'The user name'
complete -c keyway -n '__keyway_at keyway save' -l title -x -d 'What the account is called'
complete -c keyway -n '__keyway_at keyway save' -l provider -x -d 'Asks this provider only'
complete -c keyway -n '__keyway_at keyway save' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway save' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway generate' -l kind -x -d 'Takes the proposal of this kind, such as STRONG'
complete -c keyway -n '__keyway_at keyway generate' -l rules -x -d 'Rules that the service has, as in the attribute of a form\'s field'
complete -c keyway -n '__keyway_at keyway generate' -l provider -x -d 'Asks this provider only'
complete -c keyway -n '__keyway_at keyway generate' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway generate' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway answer' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway answer' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway passwords' -a init -d 'Makes the vault'
complete -c keyway -n '__keyway_at keyway passwords' -a unlock -d 'Opens the vault to this terminal session and to filling'
complete -c keyway -n '__keyway_at keyway passwords' -a lock -d 'Locks the vault for everyone'
complete -c keyway -n '__keyway_at keyway passwords' -a change-master -d 'Changes the master password'
complete -c keyway -n '__keyway_at keyway passwords' -a renew-key -d 'Gives the vault a new key; the master password stays'
complete -c keyway -n '__keyway_at keyway passwords' -a add -d 'Stores a new item'
complete -c keyway -n '__keyway_at keyway passwords' -a show -d 'Shows an item'
complete -c keyway -n '__keyway_at keyway passwords' -a edit -d 'Changes an item'
complete -c keyway -n '__keyway_at keyway passwords' -a remove -d 'Removes an item and its history'
complete -c keyway -n '__keyway_at keyway passwords' -a restore -d 'Takes back what a site reported of an item'
complete -c keyway -n '__keyway_at keyway passwords' -a list -d 'Lists all items'
complete -c keyway -n '__keyway_at keyway passwords' -a search -d 'Lists the items that hold all the words'
complete -c keyway -n '__keyway_at keyway passwords' -a generate -d 'Prints a random password, and stores nothing'
complete -c keyway -n '__keyway_at keyway passwords' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway passwords init' -l memory -x -d 'Memory that one guess of the master password costs (256)'
complete -c keyway -n '__keyway_at keyway passwords init' -l passes -x -d 'Passes over that memory (3)'
complete -c keyway -n '__keyway_at keyway passwords init' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway passwords init' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway passwords unlock' -l accept-older-copy -d 'Takes a vault file that is older than the newest seen here'
complete -c keyway -n '__keyway_at keyway passwords unlock' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway passwords unlock' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway passwords lock' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway passwords lock' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway passwords change-master' -l memory -x -d 'Memory that one guess of the master password costs (256)'
complete -c keyway -n '__keyway_at keyway passwords change-master' -l passes -x -d 'Passes over that memory (3)'
complete -c keyway -n '__keyway_at keyway passwords change-master' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway passwords change-master' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway passwords renew-key' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway passwords renew-key' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway passwords add' -l user -x -d 'The user name'
complete -c keyway -n '__keyway_at keyway passwords add' -l address -x -d 'Where it signs in to: a URL or domain name'
complete -c keyway -n '__keyway_at keyway passwords add' -l tag -x -d 'A word to file it under'
complete -c keyway -n '__keyway_at keyway passwords add' -l generate -d 'Makes a random password (20) instead of asking for one'
complete -c keyway -n '__keyway_at keyway passwords add' -l notes -d 'Asks for notes'
complete -c keyway -n '__keyway_at keyway passwords add' -l custom -x -d 'Asks for the value of a hidden field called FIELD'
complete -c keyway -n '__keyway_at keyway passwords add' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway passwords add' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway passwords show' -l account -x -d 'Takes the item of USER, where titles are the same'
complete -c keyway -n '__keyway_at keyway passwords show' -l passkey -d 'Takes the passkey, where a password has the same title'
complete -c keyway -n '__keyway_at keyway passwords show' -l field -x -d 'Prints one field only: title, user, password, address, notes, tags, or a custom one'
complete -c keyway -n '__keyway_at keyway passwords show' -l reveal -d 'Shows the secrets too'
complete -c keyway -n '__keyway_at keyway passwords show' -l history -d 'Shows the passwords before, too; needs --reveal'
complete -c keyway -n '__keyway_at keyway passwords show' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway passwords show' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway passwords edit' -l account -x -d 'Takes the item of USER, where titles are the same'
complete -c keyway -n '__keyway_at keyway passwords edit' -l passkey -d 'Takes the passkey, where a password has the same title'
complete -c keyway -n '__keyway_at keyway passwords edit' -l title -x -d 'The new title'
complete -c keyway -n '__keyway_at keyway passwords edit' -l password -d 'Asks for a new password; the old one goes into the history'
complete -c keyway -n '__keyway_at keyway passwords edit' -l user -x -d 'The user name'
complete -c keyway -n '__keyway_at keyway passwords edit' -l address -x -d 'Where it signs in to: a URL or domain name'
complete -c keyway -n '__keyway_at keyway passwords edit' -l tag -x -d 'A word to file it under'
complete -c keyway -n '__keyway_at keyway passwords edit' -l generate -d 'Makes a random password (20) instead of asking for one'
complete -c keyway -n '__keyway_at keyway passwords edit' -l notes -d 'Asks for notes'
complete -c keyway -n '__keyway_at keyway passwords edit' -l custom -x -d 'Asks for the value of a hidden field called FIELD'
complete -c keyway -n '__keyway_at keyway passwords edit' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway passwords edit' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway passwords remove' -l account -x -d 'Takes the item of USER, where titles are the same'
complete -c keyway -n '__keyway_at keyway passwords remove' -l passkey -d 'Takes the passkey, where a password has the same title'
complete -c keyway -n '__keyway_at keyway passwords remove' -l yes -d 'Does not ask'
complete -c keyway -n '__keyway_at keyway passwords remove' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway passwords remove' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway passwords restore' -l account -x -d 'Takes the item of USER, where titles are the same'
complete -c keyway -n '__keyway_at keyway passwords restore' -l passkey -d 'Takes the passkey, where a password has the same title'
complete -c keyway -n '__keyway_at keyway passwords restore' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway passwords restore' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway passwords list' -l passkeys -d 'Lists passkeys only'
complete -c keyway -n '__keyway_at keyway passwords list' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway passwords list' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway passwords search' -l passkeys -d 'Lists passkeys only'
complete -c keyway -n '__keyway_at keyway passwords search' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway passwords search' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway passwords generate' -l length -x -d 'How many characters (20)'
complete -c keyway -n '__keyway_at keyway passwords generate' -l no-digits -d 'Leaves digits out'
complete -c keyway -n '__keyway_at keyway passwords generate' -l no-symbols -d 'Leaves all but letters and digits out'
complete -c keyway -n '__keyway_at keyway passwords generate' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway passwords generate' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway verification' -a set -d 'Says when you are verified'
complete -c keyway -n '__keyway_at keyway verification' -a pin -d 'Sets or removes the PIN of Keyway'
complete -c keyway -n '__keyway_at keyway verification' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway verification' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway verification set' -l rule -x -a 'when-set-up always never default' -d 'When: when-set-up (a fingerprint or a PIN), always or never; default takes back'
complete -c keyway -n '__keyway_at keyway verification set' -l grace -x -d 'For how long a check counts'
complete -c keyway -n '__keyway_at keyway verification set' -l provider -x -d 'Sets the rule for this provider only'
complete -c keyway -n '__keyway_at keyway verification set' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway verification set' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway verification pin' -a set -d 'Sets the PIN'
complete -c keyway -n '__keyway_at keyway verification pin' -a remove -d 'Removes the PIN'
complete -c keyway -n '__keyway_at keyway verification pin' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway verification pin set' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway verification pin set' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway verification pin remove' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway verification pin remove' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway history' -a clear -d 'Forgets the history'
complete -c keyway -n '__keyway_at keyway history' -l limit -x -d 'Lists no more than N (100)'
complete -c keyway -n '__keyway_at keyway history' -l since -x -d 'Lists what was since: a day such as 2026-11-22, or 30m, 24h, 7d, 2w ago'
complete -c keyway -n '__keyway_at keyway history' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway history' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway history clear' -l yes -d 'Does not ask'
complete -c keyway -n '__keyway_at keyway history clear' -l json -d 'Prints one JSON object instead of text'
complete -c keyway -n '__keyway_at keyway history clear' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway completions' -a 'bash zsh fish'
complete -c keyway -n '__keyway_at keyway completions' -l help -s h -d 'Explains the command'
complete -c keyway -n '__keyway_at keyway help' -l help -s h -d 'Explains the command'
