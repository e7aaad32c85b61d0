// What this extension uses of the WebExtension API, as Chromium and Firefox both have it.
declare namespace chrome {
    interface Event<Listener extends (...values: any[]) => void> {
        addListener(listener: Listener): void;
    }
    interface MessageSender {
        id?: string;
        origin?: string;
        url?: string;
        frameId?: number;
        tab?: { url?: string; incognito: boolean };
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
    }
    const storage: { local: StorageArea };
    const runtime: {
        /** Firefox. */
        getBrowserInfo?(): Promise<{ name: string }>;
        id: string;
        lastError?: { message?: string };
        connect(options: { name: string }): Port;
        connectNative(application: string): Port;
        getManifest(): { version: string };
        getURL(path: string): string;
        onConnect: Event<(port: Port) => void>;
    };
    const i18n: { getMessage(name: string, substitutions?: string[]): string };
    const action: {
        setTitle(details: { title: string }): Promise<void>;
        setBadgeText(details: { text: string }): Promise<void>;
    };
    /** Chromium; Firefox has `Element.openOrClosedShadowRoot` instead. */
    const dom: { openOrClosedShadowRoot(element: Element): ShadowRoot | null } | undefined;
}

/** Chromium: who it says it is. */
interface Navigator {
    readonly userAgentData?: { readonly brands: { readonly brand: string }[] };
}
