import { stripVTControlCharacters } from 'node:util'

const MAX_LENGTH = 4_096

/** A line of a node's log as anybody may see it: no control characters, and no password. */
export function printable(line: string, secrets: readonly string[]): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  let text = stripVTControlCharacters(line).replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g, ' ')
  for (const secret of secrets) text = text.replaceAll(secret, '***')
  return text.slice(0, MAX_LENGTH)
}
