import { request } from '@trestle/contracts/message'
import { Problem } from '@trestle/problem/problem'
import { z } from 'zod'
import { decode, decodeReply, encodeProblem, encodeReply } from './envelope.js'

const double = request({ subject: 'maths.number.double', request: z.object({ n: z.int() }), reply: z.object({ n: z.int() }) })

describe(decode, () => {
  it('parses a message by its schema', () => {
    expect(decode(double.request, bytes('{"n":1,"more":2}'))).toEqual({ n: 1 })
  })

  it.each([
    ['of another form', bytes('{"n":"1"}')],
    ['that is not JSON', bytes('{"n":')],
    ['that is empty', bytes('')],
    ['that is not UTF-8', Uint8Array.of(0x22, 0xc0, 0xaf, 0x22)],
  ])('refuses a message %s', (_, data) => {
    expect(() => decode(double.request, data)).toThrow(expect.objectContaining({ kind: 'invalid', code: 'InvalidMessage' }))
  })

  it('names the malformed members', () => {
    expect(() => decode(double.request, bytes('{"n":"1"}'))).toThrow(
      expect.objectContaining({ errors: [{ path: 'n', message: expect.any(String) }] }),
    )
  })
})

describe(decodeReply, () => {
  it('returns the reply, without undeclared members', () => {
    expect(decodeReply(double, bytes(encodeReply(double, { n: 2, secret: 'x' })))).toEqual({ n: 2 })
  })

  it('throws the Problem of the other service with its kind, code, detail, errors and headers', () => {
    const headers = { 'retry-after': '3' }
    const problem = new Problem('conflict', 'TooSoon', 'Wait.', { errors: [{ path: 'n', message: 'too soon' }], headers })
    expect(() => decodeReply(double, bytes(encodeProblem(problem)))).toThrow(
      expect.objectContaining({ kind: 'conflict', code: 'TooSoon', detail: 'Wait.', errors: problem.errors, headers }),
    )
  })

  it.each(['{"answer":{"n":"2"}}', '{}', 'null', '<html>'])('refuses the reply %s', (text) => {
    expect(() => decodeReply(double, bytes(text))).toThrow(expect.objectContaining({ kind: 'bad-upstream', code: 'InvalidAnswer' }))
  })
})

describe(encodeReply, () => {
  it('refuses a reply that does not fit the schema', () => {
    expect(() => encodeReply(double, { n: 'two' })).toThrow(z.ZodError)
  })
})

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
