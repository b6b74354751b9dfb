export interface Statement {
  readonly text: string
  /** The line of the script it begins on. */
  readonly line: number
}

// What may hold a semicolon that ends nothing: a comment, a quoted name, a string, a body between dollar signs.
const WHOLE = [
  /--[^\n]*/,
  /\/\*[\s\S]*?\*\//,
  /"[^"]*"/,
  /(?<![\w$])[eE]'(?:\\[\s\S]|[^'\\])*'/,
  /'[^']*'/,
  /(?<![\w$])\$(?<tag>\w*)\$[\s\S]*?\$\k<tag>\$/,
]
const BOUNDARY = new RegExp([...WHOLE.map(({ source }) => source), ';'].join('|'), 'g')
const LEADING = /^(?:\s|--[^\n]*|\/\*[\s\S]*?\*\/)*/

/** Cuts an SQL script into its statements, so that an error can be told the line it belongs to. */
export function statementsOf(script: string): Statement[] {
  const ends = [...script.matchAll(BOUNDARY)].filter(([token]) => token === ';').map(({ index }) => index + 1)
  const statements: Statement[] = []
  let start = 0
  for (const end of [...ends, script.length]) {
    const piece = script.slice(start, end)
    const leading = LEADING.exec(piece)?.[0].length ?? 0
    const text = piece.slice(leading).trimEnd()
    if (text !== '' && text !== ';') statements.push({ text, line: lineAt(script, start + leading) })
    start = end
  }
  return statements
}

/** The number, from 1, of the line that this place of the text is on. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
