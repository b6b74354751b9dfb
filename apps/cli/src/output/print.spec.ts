import { parse } from 'yaml'
import { formatItem, formatReply, type PrintSettings } from './print.js'

const PLAIN: PrintSettings = { format: 'table', isTerminal: false, hasColour: false, now: new Date(0), options: {} }
// OSC 52 by its one-character introducer (C1), and an override of direction.
const HOSTILE = { name: '\u009d52;c;cm0gLXJm\u009c \u202eexe.txt \u001b[2J\u007f' }

describe(formatReply, () => {
  it.each(['json', 'yaml', 'table'] as const)('as %s never carries a control character of foreign text', (format) => {
    const { text } = formatReply({ view: () => ({ fields: [['name', HOSTILE.name]] }) }, HOSTILE, { ...PLAIN, format })
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u)
  })

  it('keeps every value of JSON exactly', () => {
    const reply = { ...HOSTILE, text: 'é 日本 👩‍👩‍👧\n\t"\\', number: 0.1, none: null }
    for (const text of [formatReply({}, reply, { ...PLAIN, format: 'json' }).text, formatItem({}, reply, PLAIN)])
      expect(JSON.parse(text)).toEqual(reply)
  })

  it('keeps every value of YAML, where text could be read as something else', () => {
    const reply = {
      ...HOSTILE,
      [HOSTILE.name]: '\u009b2J',
      version: '1.10',
      no: 'no',
      zero: '007',
      time: '2026-11-22',
      long: 'word '.repeat(50),
      lines: 'a\nb\n',
    }
    expect(parse(formatReply({}, reply, { ...PLAIN, format: 'yaml' }).text)).toEqual(reply)
  })

  it('passes text through unchanged, but for a terminal', () => {
    const csv = 'a,b\r\n\u001b[2J,1'
    const textOf = (isTerminal: boolean) => formatReply({ isText: true }, csv, { ...PLAIN, format: 'json', isTerminal }).text
    expect([textOf(false), textOf(true)]).toEqual([`${csv}\n`, 'a,b\n\ufffd[2J,1\n'])
  })

  it.each([
    [[], 'Nothing yet.'],
    [[['a']], undefined],
  ])('says outside the data that the table %j is empty', (rows, none) => {
    const view = () => ({ head: ['A'], rows, none: 'Nothing yet.' })
    expect(formatReply({ view }, rows, PLAIN).none).toBe(none)
    expect(formatReply({ view }, rows, { ...PLAIN, format: 'json' }).none).toBeUndefined()
  })
})

describe(formatItem, () => {
  const line = (item: unknown) => `${item}\u001b[2J`
  it.each([
    ['table', 'a\ufffd[2J\n'],
    ['json', '"a"\n'],
    ['yaml', '---\na\n'],
  ] as const)('as %s ends each item with a line break', (format, text) => {
    expect(formatItem({ line }, 'a', { ...PLAIN, format })).toBe(text)
  })
})
