/// What a provider wants shown: a value, drawn by the system.
///
/// The provider sets one, the presenter draws the newest and sends ``InterfaceEvent``s back. There is no other state
/// between them. Text is text: markup means nothing and control characters are taken out. Every presenter adds a way to
/// cancel and names the provider and the site itself.
public enum ProviderInterface: Codable, Hashable, Sendable {
    /// Rows to choose from.
    case list(InterfaceList)
    /// Fields to fill in.
    case form(InterfaceForm)
    /// Something to read.
    case message(InterfaceMessage)
    /// Something that takes a while.
    case progress(InterfaceProgress)
}

/// Rows to choose from, in sections, with a search field where the provider wants one.
public struct InterfaceList: Codable, Hashable, Sendable {
    /// Who narrows the rows down when the person types.
    public enum Search: String, Codable, Hashable, Sendable {
        /// There is no search field.
        case none
        /// The presenter, among the rows that are here.
        case rows
        /// The provider: it receives ``InterfaceEvent/searched(_:)`` and sets another list.
        case provider
    }

    /// A heading and what stands under it.
    public struct Section: Codable, Hashable, Sendable {
        /// The heading; none for a section without one.
        public var title: String?
        /// The rows, in order.
        public var rows: [Row]

        /// A section of `rows` under `title`.
        public init(title: String? = nil, rows: [Row]) {
            self.title = title
            self.rows = rows
        }
    }

    /// One row.
    public struct Row: Codable, Hashable, Sendable, Identifiable {
        /// What the provider knows the row by; comes back in ``InterfaceEvent/chose(row:)``.
        public var id: String
        /// The first line.
        public var title: String
        /// The second line.
        public var subtitle: String?
        /// The service that the account of this row is for, where it is one: a domain or a URL. The system asks the
        /// person before it gives a page the account of another site.
        public var service: String?

        /// A row that reads `title`.
        public init(id: String, title: String, subtitle: String? = nil, service: String? = nil) {
            self.id = id
            self.title = title
            self.subtitle = subtitle
            self.service = service
        }
    }

    /// What the list is.
    public var title: String
    /// The rows.
    public var sections: [Section]
    /// Who searches.
    public var search: Search
    /// What stands there when there are no rows.
    public var emptyText: String?

    /// A list of `sections`.
    public init(title: String, sections: [Section], search: Search = .rows, emptyText: String? = nil) {
        self.title = title
        self.sections = sections
        self.search = search
        self.emptyText = emptyText
    }
}

/// Fields to fill in, and one button to hand them over.
public struct InterfaceForm: Codable, Hashable, Sendable {
    /// One field.
    public struct Field: Codable, Hashable, Sendable, Identifiable {
        /// What may be typed.
        public enum Kind: Codable, Hashable, Sendable {
            /// Text that everyone may see, with what stands there at first.
            case text(initial: String)
            /// A secret: hidden while it is typed, and handed over once, as an ``InterfaceSecret``.
            case secure
        }

        /// What the provider knows the field by.
        public var id: String
        /// The label.
        public var label: String
        /// What may be typed.
        public var kind: Kind

        /// A field labelled `label`.
        public init(id: String, label: String, kind: Kind) {
            self.id = id
            self.label = label
            self.kind = kind
        }
    }

    /// What the form is.
    public var title: String
    /// Why the person is asked, in a sentence or two.
    public var explanation: String?
    /// The fields, in order.
    public var fields: [Field]
    /// What the button says.
    public var submitTitle: String
    /// What was wrong with what was handed over before.
    public var error: String?

    /// A form of `fields`.
    public init(
        title: String, explanation: String? = nil, fields: [Field], submitTitle: String, error: String? = nil
    ) {
        self.title = title
        self.explanation = explanation
        self.fields = fields
        self.submitTitle = submitTitle
        self.error = error
    }
}

/// Something to read, with buttons besides the one that cancels.
public struct InterfaceMessage: Codable, Hashable, Sendable {
    /// How it is meant.
    public enum Style: String, Codable, Hashable, Sendable {
        case information
        case warning
        case error
    }

    /// One button.
    public struct Action: Codable, Hashable, Sendable, Identifiable {
        /// What the provider knows the button by; comes back in ``InterfaceEvent/activated(action:)``.
        public var id: String
        /// What it says.
        public var title: String

        /// A button that says `title`.
        public init(id: String, title: String) {
            self.id = id
            self.title = title
        }
    }

    /// What it is about.
    public var title: String
    /// What it says.
    public var text: String
    /// How it is meant.
    public var style: Style
    /// The buttons, in order.
    public var actions: [Action]

    /// A message that says `text`.
    public init(title: String, text: String, style: Style = .information, actions: [Action] = []) {
        self.title = title
        self.text = text
        self.style = style
        self.actions = actions
    }
}

/// Something that takes a while.
public struct InterfaceProgress: Codable, Hashable, Sendable {
    /// What is going on.
    public var title: String
    /// More about it.
    public var text: String?
    /// How much is done, 0 to 1; nil when nobody knows.
    public var fraction: Double?

    /// Progress of something called `title`.
    public init(title: String, text: String? = nil, fraction: Double? = nil) {
        self.title = title
        self.text = text
        self.fraction = fraction
    }
}
