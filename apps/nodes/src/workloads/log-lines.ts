import { stripVTControlCharacters } from 'node:util'

const MAX_LENGTH = 4_096

/** A log line without control characters and passwords. */
export function printable(line: string, secrets: readonly string[]): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  let text = stripVTControlCharacters(line).replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g, ' ')
  for (const secret of secrets) text = text.replaceAll(secret, '***')
  return text.slice(0, MAX_LENGTH)
}
