// What this extension uses of the WebExtension API, as Chromium and Firefox both have it.
declare namespace chrome {
    interface Event<Listener extends (...values: any[]) => void> {
        addListener(listener: Listener): void;
    }
    /** One that is not always listened to. */
    interface LooseEvent<Listener extends (...values: any[]) => void> extends Event<Listener> {
        removeListener(listener: Listener): void;
        hasListener(listener: Listener): boolean;
    }
    interface MessageSender {
        id?: string;
        origin?: string;
        url?: string;
        frameId?: number;
        tab?: Tab;
    }
    interface Tab {
        id?: number;
        /** Only of pages that the extension may see. */
        url?: string;
        incognito: boolean;
        /** In its window, from 0 on. */
        index: number;
        windowId: number;
    }
    interface Port {
        name: string;
        sender?: MessageSender;
        /** Firefox: why the port was closed. */
        error?: { message: string } | null;
        postMessage(message: object): void;
        disconnect(): void;
        onMessage: Event<(message: unknown) => void>;
        onDisconnect: Event<(port: Port) => void>;
    }
    interface StorageArea {
        get(key: string): Promise<Record<string, unknown>>;
        set(values: Record<string, unknown>): Promise<void>;
        /** Chromium. */
        setAccessLevel?(options: { accessLevel: 'TRUSTED_CONTEXTS' }): Promise<void>;
    }
    const storage: { local: StorageArea; onChanged: Event<(changes: Record<string, unknown>) => void> };
    const runtime: {
        /** Firefox. */
        getBrowserInfo?(): Promise<{ name: string }>;
        id: string;
        sendMessage(message: unknown): Promise<unknown>;
        lastError?: { message?: string };
        connect(options: { name: string }): Port;
        connectNative(application: string): Port;
        getManifest(): { version: string; host_permissions?: string[]; action?: { default_popup?: string } };
        getURL(path: string): string;
        onConnect: Event<(port: Port) => void>;
        onInstalled: Event<() => void>;
        onMessage: Event<(message: unknown, sender: MessageSender, answer: (value: unknown) => void) => boolean | void>;
        openOptionsPage(): Promise<void>;
    };
    const tabs: {
        get(id: number): Promise<Tab>;
        /** Nothing for the window of the toolbar button. */
        getCurrent(): Promise<Tab | undefined>;
        create(wanted: { url: string; windowId?: number; index?: number }): Promise<Tab>;
        query(wanted: { active?: boolean; currentWindow?: boolean }): Promise<Tab[]>;
        sendMessage(id: number, message: unknown, options?: { frameId: number }): Promise<unknown>;
        onUpdated: LooseEvent<(id: number, changed: { status?: string }, tab: Tab) => void>;
        onRemoved: LooseEvent<(id: number) => void>;
    };
    const contextMenus: {
        create(
            entry: { id: string; title: string; contexts: string[]; documentUrlPatterns: string[] },
            created: () => void,
        ): void;
        onClicked: Event<(clicked: { menuItemId: string | number; frameId?: number }, tab?: Tab) => void>;
    };
    interface AuthDetails {
        requestId: string;
        url: string;
        type: string;
        tabId: number;
        isProxy: boolean;
        scheme: string;
        realm?: string;
        challenger?: { host: string; port: number };
    }
    interface RequestFilter {
        urls: string[];
        types: string[];
    }
    const webRequest: {
        onAuthRequired: {
            addListener(
                listener: (
                    details: AuthDetails,
                    answer: (response: { authCredentials?: { username: string; password: string } }) => void,
                ) => void,
                filter: RequestFilter,
                extra: string[],
            ): void;
        };
        onErrorOccurred: {
            addListener(listener: (details: { requestId: string }) => void, filter: RequestFilter): void;
        };
    };
    const windows: {
        create(options: { type: 'popup'; url: string; width: number; height: number }): Promise<unknown>;
    };
    const commands: {
        getAll(): Promise<{ name?: string; description?: string; shortcut?: string }[]>;
        onCommand: Event<(command: string, tab?: Tab) => void>;
    };
    const extension: { inIncognitoContext: boolean; isAllowedIncognitoAccess(): Promise<boolean> } | undefined;
    const i18n: { getMessage(name: string, substitutions?: string[]): string };
    const action: {
        setIcon(details: { tabId?: number; path: Record<number, string> }): Promise<void>;
        setTitle(details: { tabId?: number; title: string }): Promise<void>;
        setBadgeText(details: { text: string }): Promise<void>;
        setPopup(details: { popup: string }): Promise<void>;
        onClicked: Event<() => void>;
    };
    interface Permissions {
        origins?: string[];
        permissions?: string[];
    }
    /** A setting of the browser's. */
    interface Setting {
        get(details: object): Promise<{ value: boolean; levelOfControl: string }>;
        set(details: { value: boolean }): Promise<unknown>;
        clear(details: object): Promise<unknown>;
    }
    /** Only where the person permitted it. */
    const privacy: { services?: { passwordSavingEnabled?: Setting } } | undefined;
    const permissions: {
        contains(wanted: Permissions): Promise<boolean>;
        request(wanted: Permissions): Promise<boolean>;
        remove(wanted: Permissions): Promise<boolean>;
        onAdded: Event<() => void>;
        onRemoved: Event<() => void>;
    };
    /** Chromium; Firefox has `Element.openOrClosedShadowRoot` instead. */
    const dom: { openOrClosedShadowRoot(element: Element): ShadowRoot | null } | undefined;
}

/** Chromium: who it says it is. */
interface Navigator {
    readonly userAgentData?: { readonly brands: { readonly brand: string }[] };
}
