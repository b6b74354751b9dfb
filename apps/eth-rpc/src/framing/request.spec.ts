import fc from 'fast-check'
import { type CallFrame, type FrameEntry, parseFrame } from './request.js'

// The words and codes of geth's rpc/testdata and of the examples in JSON-RPC 2.0 section 7.

describe(parseFrame, () => {
  it.each([
    ['1', '1'],
    ['-1', '-1'],
    ['1.50', '1.50'],
    ['1e3', '1e3'],
    ['9007199254740993', '9007199254740993'],
    ['"a"', '"a"'],
    ['"\\u0061\\""', '"\\u0061\\""'],
    ['null', 'null'],
  ])('keeps the id %s as it is', (given, kept) => {
    expect(single(`{ "jsonrpc": "2.0", "id" : ${given} , "method": "eth_chainId" }`)).toEqual({
      id: kept,
      method: 'eth_chainId',
      params: [],
    })
  })

  it.each([
    ['absent', '', []],
    ['null', ',"params":null', []],
    ['empty', ',"params":[]', []],
    ['nested', ',"params":[{"to":"0x1"},["\\"]}",1]]', [{ to: '0x1' }, ['"]}', 1]]],
  ])('accepts params that are %s', (_, member, params) => {
    expect(single(`{"jsonrpc":"2.0","id":7,"method":"eth_call"${member}}`)).toEqual({ id: '7', method: 'eth_call', params })
  })

  it('knows a notification by its missing id', () => {
    expect(single('{"jsonrpc":"2.0","method":"eth_chainId"}')).toEqual({ id: undefined, method: 'eth_chainId', params: [] })
  })

  it.each([
    ['an empty body', ''],
    ['half an object', '{'],
    ['a lone surrogate byte', Buffer.from([0x22, 0xff, 0x22])],
    ['a byte order mark', Buffer.from('\uFEFF{}')],
    ['two objects', '{}{}'],
    ['the end of a batch missing', '[{"jsonrpc":"2.0","method":"sum","params":[1,2,4],"id":"1"},{"jsonrpc":"2.0","method"]'],
  ])('refuses %s as invalid JSON', (_, body) => {
    expect(parseFrame(Buffer.from(body))).toEqual({ refused: { id: 'null', error: { code: -32700, message: 'parse error' } } })
  })

  it.each([
    ['1', 'null'],
    ['null', 'null'],
    ['"eth_chainId"', 'null'],
    ['{}', 'null'],
    ['{"id":1}', '1'],
    ['{"id":[],"jsonrpc":"2.0","method":"eth_chainId"}', 'null'],
    ['{"id":{},"jsonrpc":"2.0","method":"eth_chainId"}', 'null'],
    ['{"id":true,"jsonrpc":"2.0","method":"eth_chainId"}', 'null'],
    ['{"id":1,"method":"eth_chainId"}', '1'],
    ['{"jsonrpc":"2.1","id":1,"method":"eth_chainId"}', '1'],
    ['{"jsonrpc":2,"id":1,"method":"eth_chainId"}', '1'],
    ['{"jsonrpc":"2.0","id":"x","method":1}', '"x"'],
    ['{"jsonrpc":"2.0","id":2,"method":""}', '2'],
  ])('refuses %s as an invalid call', (body, id) => {
    expect(single(body)).toEqual({ id, error: { code: -32600, message: 'invalid request' } })
  })

  it.each(['{}', '"x"', '1', 'true'])('refuses the params %s', (params) => {
    expect(single(`{"jsonrpc":"2.0","id":1,"method":"eth_call","params":${params}}`)).toEqual({
      id: '1',
      error: { code: -32602, message: 'non-array args' },
    })
  })

  it('does not answer such params of a notification', () => {
    expect(single('{"jsonrpc":"2.0","method":"eth_call","params":{}}')).toMatchObject({ isUnanswered: true })
  })

  it.each([
    '{"jsonrpc":"2.0","id":1,"method":"eth_call","method":"eth_sign"}',
    '{"jsonrpc":"2.0","id":1,"method":"eth_call","m\\u0065thod":"eth_sign"}',
    '{"jsonrpc":"2.0","id":1,"id":2,"method":"eth_call"}',
  ])('refuses a duplicate member: %s', (body) => {
    expect(single(body)).toMatchObject({ id: 'null', error: { code: -32600 } })
  })

  it('refuses deep nesting, however long the text', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect(single(`{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[${deep}]}`)).toMatchObject({ error: { code: -32600 } })
    expect(parseFrame(Buffer.from(deep))).toMatchObject({ refused: { error: { code: -32600 } } })
  })

  it('reads a batch element by element', () => {
    const frame = parseFrame(Buffer.from('[ {"jsonrpc":"2.0","id":"]","method":"a"} , 1, [], {"jsonrpc":"2.0","method":"b"},\n null ]'))
    const invalid = { id: 'null', error: { code: -32600, message: 'invalid request' } }
    expect(frame).toEqual({
      batch: [{ id: '"]"', method: 'a', params: [] }, invalid, invalid, { id: undefined, method: 'b', params: [] }, invalid],
    })
  })

  it('refuses an empty batch', () => {
    expect(parseFrame(Buffer.from(' [ ] '))).toEqual({ refused: { id: 'null', error: { code: -32600, message: 'empty batch' } } })
  })

  it('accepts a thousand calls, and answers more with one error that has the first id', () => {
    const calls = Array.from({ length: 1001 }, (_, i) => `{"jsonrpc":"2.0","id":${i + 5},"method":"a"}`)
    expect(parseFrame(Buffer.from(`[${calls.slice(1).join()}]`))).toMatchObject({ batch: { length: 1000 } })
    expect(parseFrame(Buffer.from(`[${calls.join()}]`))).toMatchObject({ refused: { id: '5', error: { code: -32600 } }, asBatch: true })
    const notified = ['{"jsonrpc":"2.0","method":"a"}', '1', ...calls]
    expect(parseFrame(Buffer.from(`[${notified.join()}]`))).toMatchObject({ refused: { id: '5' } })
  })

  it('reads any call like JSON.parse, and keeps the id byte for byte', () => {
    const id = fc.oneof(fc.string(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(null))
    const params = fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 4 })
    fc.assert(
      fc.property(id, fc.string({ minLength: 1 }), params, fc.constantFrom(0, 1, '\t'), (id, method, params, space) => {
        const text = JSON.stringify({ params, id, jsonrpc: '2.0', method, extra: { id: 'not this' } }, null, space)
        const parsed = JSON.parse(text)
        expect(single(text)).toEqual({ id: JSON.stringify(id), method: parsed.method, params: parsed.params })
      }),
    )
  })

  it('survives any bytes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 60 }), fc.json().map(Buffer.from)), (bytes) => {
        const frame = parseFrame(Buffer.from(bytes))
        expect('single' in frame || 'batch' in frame || 'refused' in frame).toBe(true)
      }),
    )
  })
})

function single(body: string): FrameEntry | CallFrame {
  const frame = parseFrame(Buffer.from(body))
  return 'single' in frame ? frame.single : frame
}
