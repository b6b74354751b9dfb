// Colours, and whatever else a terminal does what it is told by (ECMA-48).
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
const LONGEST_LINE = 2_000

/** The last lines of what a program printed, without what would do something to a terminal. */
export function lastLines(text: string, count: number): string[] {
  if (count <= 0) return []
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.slice(-count).map((line) => line.replace(SEQUENCES, '').replace(CONTROLS, '').slice(0, LONGEST_LINE))
}
