// What TypeScript 4.8 does not know yet of the web platform.
interface Element {
    /** Firefox, for content scripts. */
    readonly openOrClosedShadowRoot?: ShadowRoot | null;
    checkVisibility(options?: {
        checkOpacity?: boolean;
        checkVisibilityCSS?: boolean;
        opacityProperty?: boolean;
        visibilityProperty?: boolean;
        contentVisibilityAuto?: boolean;
    }): boolean;
}
interface HTMLElement {
    popover: string | null;
    showPopover(): void;
    hidePopover(): void;
}
interface Array<T> {
    findLast(predicate: (element: T, index: number) => boolean): T | undefined;
}
interface ReadonlyArray<T> {
    findLast(predicate: (element: T, index: number) => boolean): T | undefined;
}
interface Navigator {
    readonly userActivation: { readonly isActive: boolean; readonly hasBeenActive: boolean };
}
interface IntersectionObserverEntry {
    /** IntersectionObserver v2, Chromium. */
    readonly isVisible?: boolean;
}
interface IntersectionObserverInit {
    trackVisibility?: boolean;
    delay?: number;
}
