/// Completions for bash; needs nothing but bash.
enum BashCompletion {
    static func text(_ model: CompletionModel = CompletionModel()) -> String {
        let withChoices = model.values.filter { !$0.choices.isEmpty }
        let withoutChoices = model.values.filter { $0.choices.isEmpty }
        let words = model.entries.map { entry in
            let words = entry.command.commands.map(\.name) + entry.choices + entry.options.map(\.name)
            return "    \(entry.path.quoted)) words=\(words.joined(separator: " ").quoted) ;;"
        }
        let choices = withChoices.map { value in
            """
                \(value.option.quoted))
                    COMPREPLY=($(compgen -W \(value.choices.joined(separator: " ").quoted) -- "$current"))
                    return
                    ;;
            """
        }
        return """
            # bash completion for keyway, written by `keyway completions bash`.
            _keyway() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
                local place=\(model.program) words='' index
                COMPREPLY=()
                for ((index = 1; index < COMP_CWORD; index++)); do
                    case "$place ${COMP_WORDS[index]}" in
            \(alternatives(model.paths, indentation: 8))) place="$place ${COMP_WORDS[index]}" ;;
                    esac
                done
                case "$place $previous" in
            \(alternatives(withoutChoices.map(\.option), indentation: 4))) return ;;
            \(choices.joined(separator: "\n"))
                esac
                case $place in
            \(words.joined(separator: "\n"))
                esac
                COMPREPLY=($(compgen -W "$words" -- "$current"))
            }
            complete -F _keyway keyway

            """
    }

    /// Patterns of a `case`, one a line.
    static func alternatives(_ patterns: [String], indentation: Int) -> String {
        let space = String(repeating: " ", count: indentation)
        return patterns.map { space + $0.quoted }.joined(separator: " | \\\n")
    }
}
