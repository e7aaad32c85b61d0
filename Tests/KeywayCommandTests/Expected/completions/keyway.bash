# bash completion for keyway, written by `keyway completions bash`.
_keyway() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local place=keyway words='' index
    COMPREPLY=()
    for ((index = 1; index < COMP_CWORD; index++)); do
        case "$place ${COMP_WORDS[index]}" in
        'keyway status' | \
        'keyway setup' | \
        'keyway doctor' | \
        'keyway providers' | \
        'keyway providers list' | \
        'keyway providers show' | \
        'keyway providers enable' | \
        'keyway providers disable' | \
        'keyway providers order' | \
        'keyway providers approve' | \
        'keyway providers revoke' | \
        'keyway providers configure' | \
        'keyway providers debug' | \
        'keyway provider' | \
        'keyway provider new' | \
        'keyway provider test' | \
        'keyway clients' | \
        'keyway clients list' | \
        'keyway clients approve' | \
        'keyway clients allow' | \
        'keyway clients refuse' | \
        'keyway clients forget' | \
        'keyway clients rename' | \
        'keyway suggest' | \
        'keyway fill' | \
        'keyway code' | \
        'keyway insert' | \
        'keyway save' | \
        'keyway generate' | \
        'keyway answer' | \
        'keyway passwords' | \
        'keyway passwords init' | \
        'keyway passwords unlock' | \
        'keyway passwords lock' | \
        'keyway passwords change-master' | \
        'keyway passwords renew-key' | \
        'keyway passwords backup' | \
        'keyway passwords restore-backup' | \
        'keyway passwords add' | \
        'keyway passwords show' | \
        'keyway passwords edit' | \
        'keyway passwords remove' | \
        'keyway passwords restore' | \
        'keyway passwords attach' | \
        'keyway passwords save-file' | \
        'keyway passwords remove-file' | \
        'keyway passwords list' | \
        'keyway passwords search' | \
        'keyway passwords generate' | \
        'keyway import' | \
        'keyway export' | \
        'keyway exchange' | \
        'keyway verification' | \
        'keyway verification set' | \
        'keyway verification pin' | \
        'keyway verification pin set' | \
        'keyway verification pin remove' | \
        'keyway history' | \
        'keyway history clear' | \
        'keyway completions' | \
        'keyway help') place="$place ${COMP_WORDS[index]}" ;;
        esac
    done
    case "$place $previous" in
    'keyway provider new --directory' | \
    'keyway provider test --rule' | \
    'keyway provider test --record' | \
    'keyway provider test --user' | \
    'keyway provider test --service' | \
    'keyway provider test --type-from' | \
    'keyway provider test --home' | \
    'keyway provider test --leaves' | \
    'keyway provider test --requests' | \
    'keyway suggest --limit' | \
    'keyway fill --user' | \
    'keyway fill --provider' | \
    'keyway fill --record' | \
    'keyway code --user' | \
    'keyway code --provider' | \
    'keyway code --record' | \
    'keyway code --output' | \
    'keyway insert --provider' | \
    'keyway save --user' | \
    'keyway save --title' | \
    'keyway save --provider' | \
    'keyway generate --kind' | \
    'keyway generate --rules' | \
    'keyway generate --provider' | \
    'keyway passwords init --memory' | \
    'keyway passwords init --passes' | \
    'keyway passwords change-master --memory' | \
    'keyway passwords change-master --passes' | \
    'keyway passwords add --user' | \
    'keyway passwords add --address' | \
    'keyway passwords add --tag' | \
    'keyway passwords add --custom' | \
    'keyway passwords add --code-image' | \
    'keyway passwords show --account' | \
    'keyway passwords show --field' | \
    'keyway passwords show --section' | \
    'keyway passwords show --output' | \
    'keyway passwords edit --account' | \
    'keyway passwords edit --title' | \
    'keyway passwords edit --remove-section' | \
    'keyway passwords edit --user' | \
    'keyway passwords edit --address' | \
    'keyway passwords edit --tag' | \
    'keyway passwords edit --custom' | \
    'keyway passwords edit --code-image' | \
    'keyway passwords remove --account' | \
    'keyway passwords restore --account' | \
    'keyway passwords attach --account' | \
    'keyway passwords attach --name' | \
    'keyway passwords save-file --account' | \
    'keyway passwords remove-file --account' | \
    'keyway passwords generate --length' | \
    'keyway import --from' | \
    'keyway import --columns' | \
    'keyway import --key-file' | \
    'keyway import --request' | \
    'keyway export --to' | \
    'keyway export --fingerprint' | \
    'keyway exchange --from' | \
    'keyway exchange --to' | \
    'keyway verification set --grace' | \
    'keyway verification set --provider' | \
    'keyway history --limit' | \
    'keyway history --since') return ;;
    'keyway fill --field')
        COMPREPLY=($(compgen -W 'username password' -- "$current"))
        return
        ;;
    'keyway passwords add --use')
        COMPREPLY=($(compgen -W 'everywhere forms basic' -- "$current"))
        return
        ;;
    'keyway passwords edit --use')
        COMPREPLY=($(compgen -W 'everywhere forms basic' -- "$current"))
        return
        ;;
    'keyway import --conflicts')
        COMPREPLY=($(compgen -W 'keep-both replace skip' -- "$current"))
        return
        ;;
    'keyway export --format')
        COMPREPLY=($(compgen -W 'apple-csv bitwarden-csv chrome-csv cxf cxp firefox-csv kdbx' -- "$current"))
        return
        ;;
    'keyway verification set --rule')
        COMPREPLY=($(compgen -W 'when-set-up always never default' -- "$current"))
        return
        ;;
    esac
    case $place in
    'keyway') words='status setup doctor providers provider clients suggest fill code insert save generate answer passwords import export exchange verification history completions help --help --version' ;;
    'keyway status') words='--json --help' ;;
    'keyway setup') words='--yes --unconfined --json --help' ;;
    'keyway doctor') words='--fix --json --help' ;;
    'keyway providers') words='list show enable disable order approve revoke configure debug --help' ;;
    'keyway providers list') words='--json --help' ;;
    'keyway providers show') words='--json --help' ;;
    'keyway providers enable') words='--yes --unconfined --json --help' ;;
    'keyway providers disable') words='--json --help' ;;
    'keyway providers order') words='--json --help' ;;
    'keyway providers approve') words='--json --help' ;;
    'keyway providers revoke') words='--json --help' ;;
    'keyway providers configure') words='--json --help' ;;
    'keyway providers debug') words='--wait --configure --json --help' ;;
    'keyway provider') words='new test --help' ;;
    'keyway provider new') words='--directory --json --help' ;;
    'keyway provider test') words='--rule --list-rules --record --user --service --type-from --home --leaves --requests --json --help' ;;
    'keyway clients') words='list approve allow refuse forget rename --json --help' ;;
    'keyway clients list') words='--json --help' ;;
    'keyway clients approve') words='--json --help' ;;
    'keyway clients allow') words='--json --help' ;;
    'keyway clients refuse') words='--json --help' ;;
    'keyway clients forget') words='--json --help' ;;
    'keyway clients rename') words='--json --help' ;;
    'keyway suggest') words='--limit --json --help' ;;
    'keyway fill') words='--user --field --code --text --copy --provider --record --json --help' ;;
    'keyway code') words='--user --copy --provider --record --add --qr --output --force --json --help' ;;
    'keyway insert') words='--copy --provider --json --help' ;;
    'keyway save') words='--user --title --list-never --ask-again --provider --json --help' ;;
    'keyway generate') words='--kind --rules --copy --provider --json --help' ;;
    'keyway answer') words='--json --help' ;;
    'keyway passwords') words='init unlock lock change-master renew-key backup restore-backup add show edit remove restore attach save-file remove-file list search generate --help' ;;
    'keyway passwords init') words='--memory --passes --json --help' ;;
    'keyway passwords unlock') words='--accept-older-copy --json --help' ;;
    'keyway passwords lock') words='--json --help' ;;
    'keyway passwords change-master') words='--memory --passes --json --help' ;;
    'keyway passwords renew-key') words='--json --help' ;;
    'keyway passwords backup') words='--force --json --help' ;;
    'keyway passwords restore-backup') words='--replace --yes --json --help' ;;
    'keyway passwords add') words='--user --address --tag --use --generate --notes --custom --code --code-image --json --help' ;;
    'keyway passwords show') words='--account --passkey --field --section --reveal --history --code-qr --output --force --json --help' ;;
    'keyway passwords edit') words='--account --passkey --title --password --add-code --remove-section --user --address --tag --use --generate --notes --custom --code --code-image --json --help' ;;
    'keyway passwords remove') words='--account --passkey --yes --json --help' ;;
    'keyway passwords restore') words='--account --passkey --json --help' ;;
    'keyway passwords attach') words='--account --passkey --name --json --help' ;;
    'keyway passwords save-file') words='--account --passkey --force --json --help' ;;
    'keyway passwords remove-file') words='--account --passkey --yes --json --help' ;;
    'keyway passwords list') words='--passkeys --json --help' ;;
    'keyway passwords search') words='--passkeys --json --help' ;;
    'keyway passwords generate') words='--length --no-digits --no-symbols --json --help' ;;
    'keyway import') words='--from --list-browsers --preview --conflicts --columns --key-file --reveal --undo --request --yes --json --help' ;;
    'keyway export') words='--format --to --fingerprint --force --yes --json --help' ;;
    'keyway exchange') words='--from --to --window --json --help' ;;
    'keyway verification') words='set pin --json --help' ;;
    'keyway verification set') words='--rule --grace --provider --json --help' ;;
    'keyway verification pin') words='set remove --help' ;;
    'keyway verification pin set') words='--json --help' ;;
    'keyway verification pin remove') words='--json --help' ;;
    'keyway history') words='clear --limit --since --json --help' ;;
    'keyway history clear') words='--yes --json --help' ;;
    'keyway completions') words='bash zsh fish --help' ;;
    'keyway help') words='--help' ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _keyway keyway
