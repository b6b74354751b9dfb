import { RawTx } from '@scure/btc-signer'
import { addressOf } from '../src/address.js'
import { chainRules } from '../src/chain-rules.js'
import { sha256d } from '../src/hash.js'
import { MalformedData } from '../src/malformed.js'
import { asmOf, asmOfInput, typeOf } from '../src/script.js'
import { parseTransaction } from '../src/transaction.js'
import { virtualSize } from '../src/virtual-size.js'
import { bytes, vectors } from './vectors.js'

const { valid, invalid } = vectors<{ valid: string[]; invalid: string[] }>('core-tx')

interface Decoded {
  txid: string
  version: number
  size: number
  vsize: number
  locktime: number
  hex: string
  vin: { txid: string; vout: number; scriptSig: { asm: string; hex: string }; sequence: number }[]
  vout: { value: number; scriptPubKey: { asm: string; hex: string; type: string; addresses?: string[] } }[]
}

describe('the transactions Core takes for valid', () => {
  it.each(valid)('reads as another parser does: %s', (hex) => {
    const { txid, inputs, outputs, lockTime, version, raw } = parseTransaction(bytes(hex), 'btc')
    const other = RawTx.decode(bytes(hex))
    expect({ version, lockTime, inputs: inputs.length, outputs: outputs.length }).toEqual({
      version: other.version,
      lockTime: other.lockTime,
      inputs: other.inputs.length,
      outputs: other.outputs.length,
    })
    for (const [index, { vout, script, sequence, ...input }] of inputs.entries())
      expect({ index: vout, txid: input.txid, finalScriptSig: script, sequence }).toEqual(buffered(other.inputs[index]!))
    for (const [index, { value, script }] of outputs.entries()) expect({ amount: value, script }).toEqual(buffered(other.outputs[index]!))
    const { segwitFlag: _, witnesses: __, ...legacy } = other
    const stripped = RawTx.encode({ ...legacy, segwitFlag: false })
    expect(txid).toEqual(sha256d(stripped).reverse())
    expect(raw.toString('hex')).toBe(hex)
  })
})

describe('the transactions Core refuses', () => {
  it.each(invalid)('is read, or refused as malformed: %s', (hex) => {
    try {
      expect(parseTransaction(bytes(hex), 'btc').raw.toString('hex')).toBe(hex)
    } catch (error) {
      expect(error).toBeInstanceOf(MalformedData)
    }
  })
})

describe('what Core decodes', () => {
  it.each(vectors<Decoded[]>('core-decoded').map((decoded) => [decoded.txid, decoded] as const))('is the same here: %s', (_, decoded) => {
    const transaction = parseTransaction(bytes(decoded.hex), 'btc')
    const { txid, version, lockTime, raw, inputs, outputs } = transaction
    const { size, vsize, locktime, vin } = decoded
    expect([txid.toString('hex'), version, lockTime, raw.length]).toEqual([decoded.txid, decoded.version, locktime, size])
    expect(virtualSize(transaction)).toBe(vsize)
    expect(
      inputs.map(({ txid, vout, script, sequence }) => ({
        txid: txid.toString('hex'),
        vout,
        scriptSig: { asm: asmOfInput(script, 'btc'), hex: script.toString('hex') },
        sequence,
      })),
    ).toEqual(vin)
    expect(outputs.map(({ script }) => ({ asm: asmOf(script, 'btc'), hex: script.toString('hex'), type: typeOf(script, 'btc') }))).toEqual(
      decoded.vout.map(({ scriptPubKey: { asm, hex, type } }) => ({ asm, hex, type })),
    )
    expect(outputs.map(({ value }) => Number(value))).toEqual(decoded.vout.map(({ value }) => Math.round(value * 1e8)))
    for (const [index, { scriptPubKey }] of decoded.vout.entries())
      if (scriptPubKey.type !== 'multisig')
        expect(addressOf(outputs[index]!.script, chainRules('btc', 'mainnet'))).toBe(scriptPubKey.addresses?.[0])
  })
})

function buffered(fields: object): object {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value instanceof Uint8Array ? Buffer.from(value) : value]))
}
