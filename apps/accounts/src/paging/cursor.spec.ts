import fc from 'fast-check'
import { decodeCursor, encodeCursor } from './cursor.js'

const position = fc.record({
  createdAt: fc.integer({ min: 0, max: 9_999_999_999_999 }).map((ms) => new Date(ms)),
  id: fc.uuid().map((uuid) => `event-${uuid}`),
})
const invalid = expect.objectContaining({ code: 'InvalidCursor', status: 400 })

describe(decodeCursor, () => {
  it('decodes every position that it encodes', () => {
    fc.assert(fc.property(position, (each) => expect(decodeCursor(encodeCursor(each), 'event')).toEqual(each)))
  })

  it('refuses every cursor that was changed in one place', () => {
    const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
    fc.assert(
      fc.property(position, fc.nat(), fc.constantFrom(...alphabet), (each, at, character) => {
        const cursor = encodeCursor(each)
        const place = at % cursor.length
        const changed = cursor.slice(0, place) + character + cursor.slice(place + 1)
        // Another position may come out, never anything that is none.
        const decoded = outcome(changed)
        if (decoded !== undefined) expect(encodeCursor(decoded)).toBe(changed)
      }),
    )
  })

  it('decodes nothing that it did not encode', () => {
    fc.assert(fc.property(fc.base64String(), fc.string(), (base64, text) => outcome(base64) === undefined && outcome(text) === undefined))
  })

  it('refuses a cursor of another list', () => {
    const cursor = encodeCursor({ createdAt: new Date(1), id: 'user-00000000-0000-4000-8000-000000000000' })
    expect(() => decodeCursor(cursor, 'event')).toThrow(invalid)
  })
})

function outcome(cursor: string) {
  try {
    return decodeCursor(cursor, 'event')
  } catch (error) {
    expect(error).toEqual(invalid)
    return undefined
  }
}
