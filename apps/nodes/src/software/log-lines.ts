// Escape sequences of terminals, such as colours (ECMA-48).
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is matched
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is matched
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
const MAX_LINE_LENGTH = 2_000

/** The last lines of a program's output, without control characters. */
export function lastLines(text: string, count: number): string[] {
  if (count <= 0) return []
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.slice(-count).map((line) => line.replace(SEQUENCES, '').replace(CONTROLS, '').slice(0, MAX_LINE_LENGTH))
}
