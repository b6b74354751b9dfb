import { type CSSVariablesResolver, createTheme } from '@mantine/core'
import { partsTexts } from './texts/parts.js'

export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: 9,
  autoContrast: true,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Names the close button of dialogs and notifications for screen readers.
  components: { CloseButton: { defaultProps: { 'aria-label': partsTexts.close } } },
})

// The library's contrast of text on a light shade of the same colour is 4.3 : 1.
const darkerOnLight = Object.fromEntries(
  ['teal', 'green', 'cyan', 'blue', 'yellow', 'orange', 'red', 'grape', 'violet', 'gray'].map((color) => [
    `--mantine-color-${color}-light-color`,
    `color-mix(in srgb, var(--mantine-color-${color}-9) 72%, black)`,
  ]),
)

// White on the lighter shade that the library would take has 4.3 : 1.
const darkerUnderPointer = { '--mantine-color-cyan-filled-hover': 'color-mix(in srgb, var(--mantine-color-cyan-9) 85%, black)' }

/** Quiet text still has 4.5 : 1 against what it stands on (WCAG 2.2, 1.4.3). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...darkerOnLight,
    ...darkerUnderPointer,
    '--mantine-color-dimmed': '#495057',
    '--mantine-color-placeholder': '#5c636a',
    '--mantine-color-error': '#c92a2a',
  },
  dark: {
    ...darkerUnderPointer,
    '--mantine-color-dimmed': '#b8bcc4',
    '--mantine-color-placeholder': '#9aa0aa',
    '--mantine-color-error': '#ff8787',
  },
})
