/**
 * What the detection gets wrong in the pages today, as `page field: wanted, not given`. Shorter is better. A browser
 * (`make forms`) gets the same wrong.
 */
export const knownFailures = {
    own: [
        // A number that is hidden is a user name there.
        'blind-r-retirement-ssn-login.html 1: username, not none',
        // Handed out or printed on a pack: nothing tells the code from one that was sent.
        'blind-s-attendance-de.html 1: none, not one-time-code',
        'blind-s-contest-code.html 1: none, not one-time-code',
        'blind-s-contest-code.html 2: none, not username',
        // A hidden passcode alone: kept in an account, or sent.
        'blind-s-login-passcode-app.html 1: current-password, not one-time-code',
        // The button has a deed of its own, and nothing says that people have accounts: rather nothing.
        'blind-s-login-webdisk-noword.html 1: username, not none',
        'blind-s-login-webdisk-noword.html 2: current-password, not none',
        // A date of birth between the number and the password.
        'blind-u-clinic-portal.html 1: username, not none',
        // Signing in with a code, where no button has one sent.
        'blind-u-email-code-signin-de.html 1: one-time-code, not none',
        // Passwords of another service, asked for as if they were of this one.
        'blind-w-connect-bank-aggregator.html 1: none, not username',
        'blind-w-connect-bank-aggregator.html 2: none, not current-password',
        // A database and an administrator in one form; the other way round would be a false offer.
        'blind-w-gitea-install.html 5: username, not none',
        'blind-w-gitea-install.html 7: new-password, not none',
        'blind-w-gitea-install.html 8: new-password, not none',
        // The form is sent to an address that is called a log-in.
        'blind-w-hotel-wifi.html 1: none, not current-password',
        // Kept for another service, and beside a user name.
        'blind-w-jenkins-cred.html 1: none, not username',
        'blind-w-jenkins-cred.html 2: none, not new-password',
        // A tool that looks at a password.
        'blind-w-password-strength-tool.html 1: none, not current-password',
        // The account is that of another company.
        'blind-w-telecom-account-pin-port.html 2: none, not username',
        'blind-w-telecom-account-pin-port.html 3: none, not current-password',
        // A button with a deed of its own again.
        'blind-w-timeclock-badge-pin.html 1: username, not none',
        'blind-w-timeclock-badge-pin.html 2: current-password, not none',
        // Passwords in fields that show what is typed: Keyway fills none there.
        'blind-x-beta-invite-signup.html 3: username, not none',
        'blind-x-beta-invite-signup.html 4: new-password, not none',
        'blind-x-beta-invite-signup.html 5: new-password, not none',
        'blind-x-blog-profile-edit.html 6: new-password, not none',
        // An administrator is made, and nothing calls the password new.
        'blind-x-de-cms-installation.html 3: new-password, not current-password',
        // The author says outright that it is a one-time code.
        'blind-x-sv-mina-sidor.html 6: none, not one-time-code',
        // The other two that show what is typed; style alone hides it.
        'blind-x-vi-dang-nhap-otp.html 2: current-password, not none',
        'blind-x-water-utility-account-pin.html 2: current-password, not none',
    ],
    real: [
        // Hidden copies of user name and password before the fields that people see.
        'accounts_ukr_net_signup.html 1: username, not none',
        // The mail address of a contact form; upstream takes every one on a page for signing in for a user name.
        'www_skynetbb_com_login.html 4: username, not none',
    ],
};
