import { createRequire } from 'node:module'
import { METHOD_DESCRIPTIONS } from '@trestle/contracts/eth-rpc/method-descriptions'
import { Ajv } from 'ajv'
import { methodNamed, RPC_METHODS } from './method.js'
import { exampleCalls, openRpcDocument } from './open-rpc.js'

const document = openRpcDocument('base', '1.2.3') as {
  info: object
  methods: { name: string; summary: string; params: { name: string; required: boolean; schema: { examples?: unknown[] } }[] }[]
}

describe(openRpcDocument, () => {
  it('is one by the meta-schema of OpenRPC', () => {
    const { openrpcDocument } = createRequire(import.meta.url)('@open-rpc/meta-schema')
    // ajv knows neither identifier of its drafts.
    const { $schema, ...schema } = JSON.parse(
      JSON.stringify(openrpcDocument).replaceAll(/https:\/\/meta\.json-schema\.tools[^"]*/g, '#/definitions/any'),
    )
    const isDocument = new Ajv({ strict: false, validateFormats: false }).compile({
      ...schema,
      definitions: { ...schema.definitions, any: {} },
    })
    isDocument(document)
    expect(isDocument.errors).toBeNull()
  })

  it('has every method that is served over HTTP, and no other', () => {
    const served = RPC_METHODS.filter(({ answeredBy }) => answeredBy !== 'subscriptions').map(({ name }) => name)
    expect(document.methods.map(({ name }) => name).toSorted()).toEqual(served.toSorted())
    expect(document.info).toEqual({ title: 'Trestle base: JSON-RPC', version: '1.2.3' })
  })

  it.each(METHOD_DESCRIPTIONS)('says of $name what it is for, in a sentence', ({ summary }) => {
    expect(summary).toMatch(/^[A-Z].*\.$/)
  })

  it.each(document.methods)('has no required param of $name behind one that may be left out', ({ params }) => {
    const firstOptional = params.findIndex(({ required }) => !required)
    if (firstOptional !== -1) expect(params.slice(firstOptional).some(({ required }) => required)).toBe(false)
    expect(new Set(params.map(({ name }) => name)).size).toBe(params.length)
  })

  it.each(document.methods)('says where the block of $name stands, as the table does', ({ name, params }) => {
    const { blockParam, blockForm } = methodNamed(name) ?? {}
    if (blockParam !== undefined && params.length > 0)
      expect(params[blockParam]?.name).toEqual(
        blockForm === 'hash' ? 'blockHash' : blockForm === 'criteria' ? 'filter' : expect.stringMatching(/block/i),
      )
  })
})

describe(exampleCalls, () => {
  it('is a call for each method whose params have examples', () => {
    const calls = exampleCalls()
    expect(calls.eth_getBalance?.value).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_getBalance',
      params: [`0x${'0'.repeat(40)}`, 'latest'],
    })
    expect(calls.eth_feeHistory?.value.params).toEqual(['0x5', 'latest', [25, 50, 75]])
    expect(Object.keys(calls)).not.toContain('eth_getTransactionReceipt')
  })
})
