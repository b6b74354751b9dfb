import fc from 'fast-check'
import { buffer, coin, rules } from '../test/arbitraries.js'
import { bytes } from '../test/vectors.js'
import { addressOf } from './address.js'
import { asmOf, asmOfInput, isUnspendable, ownerScriptOf, type ScriptType, typeOf } from './script.js'

const KEY = '03b0da749730dc9b4b1f4a14d6902877a92541f5368778853d9c4a0cb7802dcfb2'
const LONG_KEY = `04${'b0'.repeat(64)}`
const HASH = '751e76e8199196d454941c45d1b3a323f1433bd6'
const SIGNATURE =
  '304502207fa7a6d1e0ee81132a269ad84e68d695483745cde8b541e3bf630749894e342a022100c1f7ab20e13e22fb95281a870f3dcf38d782e53023ee313d741ad0cfbc0c5090'

describe(typeOf, () => {
  it.each<[ScriptType, string]>([
    ['pubkey', `21${KEY}ac`],
    ['pubkey', `41${LONG_KEY}ac`],
    ['nonstandard', `21${'05'}${KEY.slice(2)}ac`],
    ['nonstandard', `41${'02'}${LONG_KEY.slice(2)}ac`],
    ['pubkeyhash', `76a914${HASH}88ac`],
    ['scripthash', `a914${HASH}87`],
    ['multisig', `5121${KEY}51ae`],
    ['multisig', `5221${KEY}41${LONG_KEY}21${KEY}53ae`],
    ['multisig', `51${`21${KEY}`.repeat(17)}0111ae`],
    ['nonstandard', `51${`21${KEY}`.repeat(16)}0110ae`],
    ['nonstandard', `51${`21${KEY}`.repeat(21)}0115ae`],
    ['nonstandard', `5221${KEY}51ae`],
    ['nonstandard', `0021${KEY}51ae`],
    ['nonstandard', `5121${KEY}52ae`],
    ['nonstandard', '51ae'],
    ['nonstandard', 'ae'],
    ['nulldata', '6a'],
    ['nulldata', '6a00'],
    ['nulldata', '6a24aa21a9ede2f61c3f71d1defd3fa999dfa36953755c690689799962b48bebd836974e8cf9'],
    ['nonstandard', '6a6a'],
    ['nonstandard', '6a02ff'],
    ['witness_v0_keyhash', `0014${HASH}`],
    ['witness_v0_scripthash', `0020${'ab'.repeat(32)}`],
    ['nonstandard', `0010${'ab'.repeat(16)}`],
    ['witness_v1_taproot', `5120${'ab'.repeat(32)}`],
    ['anchor', '51024e73'],
    ['witness_unknown', '51024e74'],
    ['witness_unknown', `5820${'ab'.repeat(32)}`],
    ['witness_unknown', `6028${'ab'.repeat(40)}`],
    ['nonstandard', `6029${'ab'.repeat(41)}`],
    ['nonstandard', `aa20${'ab'.repeat(32)}87`],
    ['nonstandard', ''],
  ])('on Bitcoin is %s for %s', (type, script) => {
    expect(typeOf(bytes(script), 'btc')).toBe(type)
  })

  it.each<[ScriptType, string]>([
    ['scripthash', `aa20${'ab'.repeat(32)}87`],
    ['nonstandard', `0014${HASH}`],
    ['nonstandard', `5120${'ab'.repeat(32)}`],
  ])('on Bitcoin Cash is %s for %s', (type, script) => {
    expect(typeOf(bytes(script), 'bch')).toBe(type)
  })

  it.each<[ScriptType, string]>([
    ['witness_mweb_hogaddr', `5820${'ab'.repeat(32)}`],
    ['witness_mweb_pegin', `5920${'ab'.repeat(32)}`],
    ['witness_unknown', `5814${HASH}`],
    ['witness_unknown', '51024e73'],
  ])('on Litecoin is %s for %s', (type, script) => {
    expect(typeOf(bytes(script), 'ltc')).toBe(type)
  })
})

describe(asmOf, () => {
  it.each([
    ['', ''],
    ['00', '0'],
    ['4f505160', '-1 OP_RESERVED 1 16'],
    ['0100', '0'],
    ['0180', '0'],
    ['0181', '-1'],
    ['02e803', '1000'],
    ['04ffffff7f', '2147483647'],
    ['04ffffffff', '-2147483647'],
    ['0500000000ff', '00000000ff'],
    ['b1b2b3ba', 'OP_CHECKLOCKTIMEVERIFY OP_CHECKSEQUENCEVERIFY OP_NOP4 OP_CHECKSIGADD'],
    ['bbef', 'OP_UNKNOWN OP_UNKNOWN'],
    ['ff', 'OP_INVALIDOPCODE'],
    ['4c', '[error]'],
    ['4d01', '[error]'],
    ['4e010000', '[error]'],
    ['7605aa', 'OP_DUP [error]'],
    ['4effffffffaa', '[error]'],
    ['4c00', '0'],
    [`6a4c05${'61'.repeat(5)}`, 'OP_RETURN 6161616161'],
    [`21${KEY}ac`, `${KEY} OP_CHECKSIG`],
    [`48${SIGNATURE}01`, `${SIGNATURE}01`],
  ])('of %s is %s', (script, asm) => {
    expect(asmOf(bytes(script), 'btc')).toBe(asm)
  })

  it('names what Bitcoin Cash made of the opcodes, and reads its longer numbers', () => {
    expect(asmOf(bytes('7f80818d98bac0cdced3ef'), 'bch')).toBe(
      'OP_SPLIT OP_NUM2BIN OP_BIN2NUM OP_LSHIFTNUM OP_LSHIFTBIN OP_CHECKDATASIG OP_INPUTINDEX OP_OUTPUTBYTECODE OP_UTXOTOKENCATEGORY OP_OUTPUTTOKENAMOUNT SPECIAL_TOKEN_PREFIX',
    )
    expect(asmOf(bytes('bdbfd6ff'), 'bch')).toBe('OP_UNKNOWN OP_UNKNOWN OP_UNKNOWN OP_UNKNOWN')
    expect(asmOf(bytes('08ffffffffffffffff0500000000ff'), 'bch')).toBe('-9223372036854775807 -545460846592')
    expect(asmOf(bytes('09ffffffffffffffffff'), 'bch')).toBe('ffffffffffffffffff')
  })
})

describe(asmOfInput, () => {
  it.each([
    ['00', '00'],
    ['80', '80'],
    ['01', '[ALL]'],
    ['81', '[ALL|ANYONECANPAY]'],
    ['02', '[NONE]'],
    ['82', '[NONE|ANYONECANPAY]'],
    ['03', '[SINGLE]'],
    ['83', '[SINGLE|ANYONECANPAY]'],
    ['04', '04'],
    ['41', '41'],
  ])('on Bitcoin ends a signature of type %s with %s', (type, text) => {
    expect(asmOfInput(bytes(`48${SIGNATURE}${type}21${KEY}`), 'btc')).toBe(`${SIGNATURE}${text} ${KEY}`)
  })

  it.each([
    ['01', '[ALL]'],
    ['41', '[ALL|FORKID]'],
    ['c1', '[ALL|FORKID|ANYONECANPAY]'],
    ['42', '[NONE|FORKID]'],
    ['c3', '[SINGLE|FORKID|ANYONECANPAY]'],
    ['61', '[ALL|FORKID|UTXOS]'],
    ['21', '21'],
    ['e1', 'e1'],
    ['40', '40'],
  ])('on Bitcoin Cash ends a signature of type %s with %s', (type, text) => {
    expect(asmOfInput(bytes(`48${SIGNATURE}${type}`), 'bch')).toBe(`${SIGNATURE}${text}`)
    const schnorr = 'ab'.repeat(64)
    expect(asmOfInput(bytes(`41${schnorr}${type}`), 'bch')).toBe(`${schnorr}${text}`)
  })

  it.each([
    ['a longer frame', `30460220${SIGNATURE.slice(8)}`],
    ['a negative R', SIGNATURE.replace('02207fa7', '0220ffa7')],
    ['a padded R', SIGNATURE.replace('02207fa7', '02200067')],
    ['a padded S', SIGNATURE.replace('022100c1', '02210041')],
    ['something after S', `3046${SIGNATURE.slice(4)}00`],
    ['a longer R than there is', `30480224${'01'.repeat(36)}0220${'01'.repeat(32)}`],
    ['no S', `300602010102${'00'}01`],
    ['another kind of number', SIGNATURE.replace('304502', '304503')],
  ])('leaves as it is what has %s', (_, bad) => {
    const push = bytes(`${bad}01`)
    expect(asmOfInput(Buffer.concat([Buffer.of(push.length), push]), 'btc')).toBe(push.toString('hex'))
  })

  it('does not look for signatures behind OP_RETURN', () => {
    expect(asmOfInput(bytes(`6a48${SIGNATURE}01`), 'btc')).toBe(`OP_RETURN ${SIGNATURE}01`)
  })
})

describe(isUnspendable, () => {
  it('is OP_RETURN first, or more than 10,000 bytes', () => {
    expect(isUnspendable(bytes('6a'))).toBe(true)
    expect(isUnspendable(bytes('006a'))).toBe(false)
    expect(isUnspendable(Buffer.alloc(0))).toBe(false)
    expect(isUnspendable(Buffer.alloc(10_000))).toBe(false)
    expect(isUnspendable(Buffer.alloc(10_001))).toBe(true)
  })
})

describe(ownerScriptOf, () => {
  it('is the script of the key hash for a script of the key', () => {
    expect(ownerScriptOf(bytes(`210279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798ac`)).toString('hex')).toBe(
      `76a914${HASH}88ac`,
    )
  })

  it('is every other script itself', () => {
    for (const script of ['', '6a', `76a914${HASH}88ac`, `21${'05'}${KEY.slice(2)}ac`, `5121${KEY}51ae`].map(bytes))
      expect(ownerScriptOf(script)).toBe(script)
  })
})

describe('every script function', () => {
  const script = fc.oneof(
    buffer(0, 120),
    fc
      .array(fc.constantFrom(0, 1, 2, 0x14, 0x20, 0x21, 0x41, 0x4c, 0x4d, 0x4e, 0x51, 0x60, 0x6a, 0x76, 0x87, 0x88, 0xa9, 0xaa, 0xac, 0xae))
      .map((array) => Buffer.from(array)),
    fc.nat(255).map((byte) => Buffer.alloc(10_001, byte)),
  )

  it('takes any bytes', () => {
    fc.assert(
      fc.property(script, coin, rules, (bytes, coin, rules) => {
        const before = Buffer.from(bytes)
        for (const text of [typeOf(bytes, coin), asmOf(bytes, coin), asmOfInput(bytes, coin)]) expect(typeof text).toBe('string')
        expect(Buffer.isBuffer(ownerScriptOf(bytes))).toBe(true)
        expect(typeof isUnspendable(bytes)).toBe('boolean')
        addressOf(bytes, rules)
        expect(bytes.equals(before)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  it('takes the owner for the owner of itself', () => {
    fc.assert(fc.property(script, (bytes) => expect(ownerScriptOf(ownerScriptOf(bytes)).equals(ownerScriptOf(bytes))).toBe(true)))
  })
})
