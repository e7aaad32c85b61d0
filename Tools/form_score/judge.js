/** What the scorer bundles and runs beside a page: the extension's own detection, asked about elements. */
import { judge } from '../../Browser/src/detection/classify.js';
import { formAround, isField } from '../../Browser/src/detection/describe.js';

/** The kind of form and the role of an element, as the content script would see them on focus. */
globalThis.judgementOf = (element) => {
    if (!isField(element)) return { kind: 'other', role: 'none' };
    const { fields, description } = formAround(element);
    const { kind, roles } = judge(description);
    return { kind, role: roles[fields.indexOf(element)] ?? 'none' };
};
