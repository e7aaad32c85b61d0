/** What a host offers, as several tests take it. */

export const provider = { identifier: 'p', name: 'Passwords' };

/** The provider, as its entry after the accounts. */
export const listed = { ...provider, lists: ['password'], isSilent: false };

/** An account of that provider. */
export const offer = (handle, kind = 'password') => ({
    handle,
    user: 'ada',
    service: 'example.org',
    provider,
    match: 'origin',
    kind,
});
