export interface Statement {
  readonly text: string
  /** The line of the script on which it begins. */
  readonly line: number
}

// What may contain a semicolon that ends no statement: a comment, a quoted name, a string, a dollar-quoted body.
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

/** Splits an SQL script into its statements, so that an error can name its line. */
export function statementsOf(script: string): Statement[] {
  const ends = [...script.matchAll(BOUNDARY)].filter(([token]) => token === ';').map(({ index }) => index + 1)
  const statements: Statement[] = []
  let start = 0
  for (const end of [...ends, script.length]) {
    const part = script.slice(start, end)
    const leading = LEADING.exec(part)?.[0].length ?? 0
    const text = part.slice(leading).trimEnd()
    if (text !== '' && text !== ';') statements.push({ text, line: lineAt(script, start + leading) })
    start = end
  }
  return statements
}

/** The line number, from 1, of an offset in a text. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
