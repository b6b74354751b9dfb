import { hexToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { METHOD_TABLE } from '../methods/method-table.js'
import { transactionHash } from '../upstreams/transaction-hash.js'
import { paramKinds, redactedData, redactedMethod, redactedParams, redactedText } from './redaction.js'

const ADDRESS = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const HASH = `0x${'ab'.repeat(31)}cd`
const METHODS = METHOD_TABLE.map(({ name }) => name)
const MAX_KEPT_CHARS = 12_000

describe(redactedParams, () => {
  it.each([
    ['an address and a tag', 'eth_getBalance', [ADDRESS, 'latest'], [ADDRESS, 'latest']],
    ['a number', 'eth_getBlockByNumber', ['0x10', true], ['0x10', true]],
    [
      'call data',
      'eth_call',
      [{ to: ADDRESS, data: `0x70a08231${'0'.repeat(64)}` }],
      [{ to: ADDRESS, data: `0x70a08231${'0'.repeat(64)}` }],
    ],
    ['the words of a subscription', 'eth_subscribe', ['logs', { address: ADDRESS }], ['logs', { address: ADDRESS }]],
    ['the shape of what is nested', 'eth_getLogs', [{ topics: [null, [ADDRESS]] }], [{ topics: [null, [ADDRESS]] }]],
  ])('keeps %s', (_, method, params, expected) => {
    expect(redactedParams(method, params)).toEqual(expected)
  })

  it.each([
    ['a hash, which may be a key, to its ends', 'eth_getTransactionByHash', [HASH], ['0xabababab...abcd (32 bytes)']],
    ['a text that is no word of the API', 'eth_getBalance', ['hunter2', 'latest'], ['<string of 7 characters>', 'latest']],
    ['hex without 0x', 'eth_getBalance', [HASH.slice(2)], ['<string of 64 characters>']],
    [
      'a member that is named like a secret',
      'eth_call',
      [{ privateKey: 1, password: '0x01' }],
      [{ privateKey: '<redacted>', password: '<redacted>' }],
    ],
    ['call data of the size of a key', 'eth_call', [{ data: HASH }], [{ data: '0xabababab...abcd (32 bytes)' }]],
    [
      'the code of a state override',
      'eth_call',
      [{}, {}, { [ADDRESS]: { code: `0x${'60'.repeat(50)}` } }],
      [{}, {}, { [ADDRESS]: { code: '0x60606060...6060 (50 bytes)' } }],
    ],
    ['long call data, with a mark', 'eth_call', [{ input: `0x${'1'.repeat(5000)}` }], [{ input: `0x${'1'.repeat(4096)}... 904 digits` }]],
    ['a long list, with a mark', 'eth_getProof', [ADDRESS, Array(40).fill('0x1')], [ADDRESS, [...Array(32).fill('0x1'), '... 8 more']]],
  ])('cuts or replaces %s', (_, method, params, expected) => {
    expect(redactedParams(method, params)).toEqual(expected)
  })

  it.each(['eth_sendRawTransaction', 'eth_sendRawTransactionSync'])('names the transaction of %s by its hash alone', (method) => {
    const raw = `0x02${'f8'.repeat(100)}`
    expect(redactedParams(method, [raw])).toEqual([{ transactionHash: transactionHash(raw), bytes: 101 }])
    expect(redactedParams(method, ['what is this'])).toEqual([{ bytes: 5 }])
    expect(redactedParams(method, [{ secret: 1 }])).toEqual(['<object>'])
  })

  it('keeps no key, token or password, wherever it stands', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...METHODS),
        secret(),
        fc.jsonValue({ maxDepth: 3 }),
        fc.nat(5),
        (method, [value, secrets], other, place) => {
          const params = placed(value, other, place)
          expectNone(JSON.stringify(redactedParams(method, params)), secrets)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('has a bound, whatever it is given', () => {
    const large = fc.oneof(
      fc.jsonValue({ maxDepth: 6 }),
      fc.integer({ min: 1, max: 200_000 }).map((length) => `0x${'f'.repeat(length)}`),
    )
    const wide = fc.array(large, { maxLength: 400 }).map((values) => ({ data: values, [`0x${'1'.repeat(3000)}`]: values }))
    fc.assert(
      fc.property(fc.array(fc.oneof(large, wide), { maxLength: 200 }), (params) => {
        expect(JSON.stringify(redactedParams('eth_call', params)).length).toBeLessThan(MAX_KEPT_CHARS)
        expect(JSON.stringify(redactedData(params)).length).toBeLessThan(MAX_KEPT_CHARS)
      }),
    )
  })
})

describe(paramKinds, () => {
  it('tells of a method that is not served only what kinds of params it had', () => {
    expect(paramKinds([HASH, 'hunter2', { password: 'x' }, [1], 2, null, true])).toEqual([
      '<string>',
      '<string>',
      '<object>',
      '<array>',
      '<number>',
      '<null>',
      '<boolean>',
    ])
    expect(paramKinds(Array(100).fill(1)).at(-1)).toBe('... 68 more')
  })
})

describe(redactedText, () => {
  it.each([
    'execution reverted: ERC20: transfer amount exceeds balance',
    'insufficient funds for gas * price + value: address 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 have 0 want 1',
    'nonce too low: next nonce 5, tx nonce 3',
    'execution reverted: Token: paused',
  ])('keeps "%s"', (message) => {
    expect(redactedText(message)).toBe(message)
  })

  it.each([
    ['an upstream with its key', 'Post https://user:pass@mainnet.example/v3/abcdef: refused', 'Post <url> refused'],
    ['a bearer token', 'header Authorization: Bearer abc.def', 'header Authorization: <redacted> <redacted>'],
    ['a password', '{"password": "hunter2"}', '{"password": "<redacted>"}'],
    ['a key', 'api_key=abc is over its limit', 'api_key=<redacted> is over its limit'],
    ['a hash', `unknown transaction ${HASH}`, 'unknown transaction 0xabababab...abcd (32 bytes)'],
  ])('replaces %s', (_, message, expected) => {
    expect(redactedText(message)).toBe(expected)
  })

  it('cuts a long message, and takes no long time for any', () => {
    expect(redactedText('a b '.repeat(10_000)).length).toBeLessThan(1100)
    for (const part of ['pass', 'token=', 'a-', '"', 'https://', 'key: ', '0x']) {
      const begun = performance.now()
      redactedText(part.repeat(100_000))
      expect(performance.now() - begun).toBeLessThan(200)
    }
  })

  it('keeps no key, token or password that stands as such', () => {
    fc.assert(
      fc.property(secretText(), fc.constantFrom('', 'invalid argument 0: ', 'got "'), ([text, secrets], before) => {
        expectNone(redactedText(`${before}${text} is wrong`), secrets)
      }),
      { numRuns: 1000 },
    )
  })
})

describe(redactedData, () => {
  it.each([
    ['what a contract reverted with', `0x08c379a0${'0'.repeat(192)}`, `0x08c379a0${'0'.repeat(192)}`],
    ['our limits', { limit: 100, resetAt: '2026-11-21T12:00:00.000Z' }, { limit: 100, resetAt: '2026-11-21T12:00:00.000Z' }],
    ['nothing', null, null],
  ])('keeps %s', (_, data, expected) => {
    expect(redactedData(data)).toEqual(expected)
  })

  it('keeps no key, token or password, wherever it stands', () => {
    fc.assert(
      fc.property(fc.oneof(secret(), secretText()), fc.jsonValue({ maxDepth: 3 }), fc.nat(5), ([value, secrets], other, place) => {
        expectNone(JSON.stringify(redactedData(placed(value, other, place))), secrets)
      }),
      { numRuns: 1000 },
    )
  })
})

describe(redactedMethod, () => {
  it('keeps a name that may be a method, and nothing else', () => {
    expect(redactedMethod('personal_importRawKey')).toBe('personal_importRawKey')
    for (const name of [`eth_${HASH.slice(2)}`, 'hunter2', 'Bearer x', ''])
      expect(redactedMethod(name)).toBe(`<string of ${name.length} characters>`)
  })
})

function key(): fc.Arbitrary<string> {
  return fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'))
}

function word(): fc.Arbitrary<string> {
  return fc.stringMatching(/^[A-Za-z0-9!$%]{10,24}$/)
}

/** A value, and what must not be left of it. */
function secret(): fc.Arbitrary<[unknown, string[]]> {
  const members = fc.constantFrom('password', 'privateKey', 'secret', 'apiKey', 'Authorization', 'mnemonic', 'token', 'passphrase')
  return fc.oneof(
    key().map((hex): [unknown, string[]] => [`0x${hex}`, [hex]]),
    key().map((hex): [unknown, string[]] => [hex.toUpperCase(), [hex]]),
    key().map((hex): [unknown, string[]] => [`0x${hex.replace(/^0+/, '')}`, [hex]]),
    key().map((hex): [unknown, string[]] => [
      Buffer.from(hexToBytes(hex)).toString('base64'),
      [Buffer.from(hexToBytes(hex)).toString('base64')],
    ]),
    fc.tuple(members, key()).map(([name, hex]): [unknown, string[]] => [{ [name]: `0x${hex}` }, [hex]]),
    fc.tuple(members, word()).map(([name, text]): [unknown, string[]] => [{ [name]: text }, [text]]),
    fc.tuple(members, word()).map(([name, text]): [unknown, string[]] => [{ [name]: { in: [text] } }, [text]]),
    word().map((text): [unknown, string[]] => [`Bearer ${text}`, [text]]),
    word().map((text): [unknown, string[]] => [`https://user:${text}@node.example/${text}`, [text]]),
    key().map((hex): [unknown, string[]] => [{ [`0x${hex}`]: 1, [hex]: 2, data: `0x${hex}` }, [hex]]),
  )
}

function secretText(): fc.Arbitrary<[string, string[]]> {
  return fc.oneof(
    key().map((hex): [string, string[]] => [`0x${hex}`, [hex]]),
    key().map((hex): [string, string[]] => [hex.toUpperCase(), [hex]]),
    word().map((text): [string, string[]] => [`Bearer ${text}`, [text]]),
    word().map((text): [string, string[]] => [`password=${text}`, [text]]),
    word().map((text): [string, string[]] => [`{"apiKey":"${text}"}`, [text]]),
    word().map((text): [string, string[]] => [`wss://node.example/ws/${text}`, [text]]),
  )
}

function placed(value: unknown, other: unknown, place: number): unknown[] {
  const places = [
    [value],
    [other, value],
    [{ from: value }],
    [{ data: value, input: value }],
    [[other, [value]], 'latest'],
    [{ params: { inner: value } }, other],
  ]
  return places[place] ?? [value]
}

function expectNone(text: string, secrets: readonly string[]): void {
  for (const each of secrets) expect(text.toLowerCase()).not.toContain(each.toLowerCase())
}
