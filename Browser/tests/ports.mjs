/** Two ends of a port, as the browsers give them out: what one end posts, the other hears, as a copy. */

class Listeners {
    listeners = [];

    addListener(listener) {
        this.listeners.push(listener);
    }

    emit(...values) {
        for (const listener of this.listeners) listener(...values);
    }
}

export class FakePort {
    onMessage = new Listeners();
    onDisconnect = new Listeners();
    /** Everything that was posted here. */
    posted = [];
    isOpen = true;
    error = null;
    name = '';

    /** @param {(message: object) => void} [hear] */
    constructor(hear = () => {}) {
        this.hear = hear;
    }

    postMessage(message) {
        if (!this.isOpen) throw new Error('Attempting to use a disconnected port object');
        this.posted.push(structuredClone(message));
        this.hear(structuredClone(message));
    }

    disconnect() {
        this.isOpen = false;
    }

    /** The other end says something. */
    receive(message) {
        this.onMessage.emit(message);
    }

    /** The other end goes away. */
    drop(message) {
        this.isOpen = false;
        if (message) this.error = { message };
        this.onDisconnect.emit(this);
    }
}

/** Lets everything that is ready to run, run. */
export function settle() {
    return new Promise((resolve) => {
        setImmediate(resolve);
    });
}
