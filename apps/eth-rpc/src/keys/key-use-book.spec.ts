import { ManualClock } from '@trestle/runtime/test/manual-clock'
import { KeyUseBook } from './key-use-book.engine.js'

const NOON = new Date('2026-11-21T12:00:00Z')

describe(KeyUseBook, () => {
  it('notes the first use of each key since the last time, and asks for no other address', () => {
    const { book } = setUp()
    const meter = book.meterOf(1, 2)
    let asked = 0
    const arrival = { address: () => `192.0.2.${++asked}` }
    meter.note(arrival)
    meter.note(arrival)
    book.meterOf(1, 3).note(arrival)
    expect(book.take()).toEqual([
      { project: 1, number: 2, at: NOON, from: '192.0.2.1' },
      { project: 1, number: 3, at: NOON, from: '192.0.2.2' },
    ])
    expect(book.take()).toEqual([])
    meter.note(arrival)
    expect(book.take()).toMatchObject([{ number: 2, from: '192.0.2.3' }])
  })

  it('keeps what could not be written, unless the key was used again', () => {
    const { book, clock } = setUp()
    book.add({ project: 1, number: 1, from: 'a' })
    book.add({ project: 1, number: 2, from: 'a' })
    const taken = book.take()
    clock.advance(1000)
    book.add({ project: 1, number: 2, from: 'b' })
    book.putBack(taken)
    expect(book.take().map(({ number, from }) => [number, from])).toEqual([
      [2, 'b'],
      [1, 'a'],
    ])
  })

  it('keeps no more than 20,000 while they cannot be written', () => {
    const { book } = setUp()
    for (let number = 0; number < 20_005; number++) book.add({ project: 1, number, from: 'a' })
    expect(book.take()).toHaveLength(20_000)
  })
})

function setUp() {
  const clock = new ManualClock()
  return { clock, book: new KeyUseBook(clock) }
}
