/// Completions for zsh, with its own `compsys`.
enum ZshCompletion {
    static func text(_ model: CompletionModel = CompletionModel()) -> String {
        let withoutChoices = model.values.filter { $0.choices.isEmpty }.map(\.option)
        let choices = model.values.filter { !$0.choices.isEmpty }.map {
            "    \($0.option.quoted)) compadd -- \($0.choices.joined(separator: " ")); return ;;"
        }
        let entries = model.entries.map { entry in
            """
                \(entry.path.quoted))
                    commands=(\(list(entry.command.commands.map { ($0.name, $0.summary) } + entry.choices.map { ($0, $0) })))
                    options=(\(list(entry.options.map { ($0.name, $0.summary) })))
                    ;;
            """
        }
        return """
            #compdef keyway
            # zsh completion for keyway, written by `keyway completions zsh`.
            _keyway() {
                local place=\(model.program) index
                local -a commands options
                for ((index = 2; index < CURRENT; index++)); do
                    case "$place $words[index]" in
            \(BashCompletion.alternatives(model.paths, indentation: 8))) place="$place $words[index]" ;;
                    esac
                done
                case "$place $words[CURRENT-1]" in
            \(BashCompletion.alternatives(withoutChoices, indentation: 4))) return ;;
            \(choices.joined(separator: "\n"))
                esac
                case $place in
            \(entries.joined(separator: "\n"))
                esac
                if (($#commands)) && [[ $PREFIX != -* ]]; then
                    _describe -t commands command commands
                else
                    _describe -o -t options option options
                fi
            }
            if [[ $funcstack[1] == _keyway ]]; then
                _keyway "$@"
            else
                compdef _keyway keyway
            fi

            """
    }

    private static func list(_ rows: [(name: String, summary: String)]) -> String {
        rows.map { "\n            " + ($0.name + ":" + $0.summary).quoted }.joined()
            + (rows.isEmpty ? "" : "\n        ")
    }
}
