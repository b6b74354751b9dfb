import { resultOf } from '../framing/outcome.js'
import { methodNamed } from '../methods/method.js'
import { AnswerSeal } from './answer-seal.js'

const CHAIN = { id: 'one', chainId: 1, genesis: '0x11' }
const CALL = { method: methodNamed('eth_getBalance')!, paramsJson: '["0xab","0x5"]' }
const ANSWER = { ...resultOf('0x1'), by: ['n1', 'n2'] }

const seal = new AnswerSeal('secret', CHAIN)
const name = seal.nameOf(CALL)

describe(AnswerSeal, () => {
  it('gives the same call the same name in every process', () => {
    expect(new AnswerSeal('secret', { ...CHAIN }).nameOf({ ...CALL })).toBe(name)
    expect(name).toMatch(/^[0-9a-f]{32}$/)
  })

  it.each([
    ['method', { ...CALL, method: methodNamed('eth_getCode')! }],
    ['params', { ...CALL, paramsJson: '["0xab","0x6"]' }],
    ['quorum', { ...CALL, quorum: { agreeing: 2, nodes: 3 } }],
  ])('gives a call with another %s another name', (_, call) => expect(seal.nameOf(call)).not.toBe(name))

  it.each([
    ['deployment', 'other', CHAIN],
    ['chain id', 'secret', { ...CHAIN, chainId: 2 }],
    ['first block', 'secret', { ...CHAIN, genesis: '0x12' }],
    ['life of the chain', 'secret', { ...CHAIN, id: 'two' }],
  ])('has other names and other proofs for another %s', (_, secret, chain) => {
    const other = new AnswerSeal(secret, chain)
    expect(other.nameOf(CALL)).not.toBe(name)
    expect(other.macOf(name, ANSWER)).not.toEqual(seal.macOf(name, ANSWER))
  })

  it.each([
    ['changed', { ...ANSWER, json: Buffer.from('"0x2"') }],
    ['cut', { ...ANSWER, json: ANSWER.json.subarray(0, 3) }],
    ['an error', { ...ANSWER, member: 'error' as const }],
    ["another upstream's", { ...ANSWER, by: ['n1'] }],
    ['nobody knows whose', { ...ANSWER, by: undefined }],
  ])('tells an answer that is %s', (_, answer) => expect(seal.macOf(name, answer)).not.toEqual(seal.macOf(name, ANSWER)))

  it('tells an answer to another call', () => expect(seal.macOf(name.replace(/./, 'x'), ANSWER)).not.toEqual(seal.macOf(name, ANSWER)))
})
