import { callSnippets } from './call-snippets.js'

const basic = { type: 'basic', user: 'u1', pass: 'secret' }
const bitcoin = { url: 'https://trestle.example/nodes/rpc/node-1', chain: 'ltc', network: 'regtest', auth: basic }

describe('Calls', () => {
  it('to a node of the Bitcoin family carry its user and password', () => {
    const calls = callSnippets({ ...bitcoin, own: { host: '127.0.0.1', port: 23000 } })
    expect(Object.keys(calls)).toEqual(['curl', 'JavaScript fetch', 'litecoin-cli', 'REST', 'make a block'])
    expect(calls.curl).toContain(`-u 'u1:secret'`)
    expect(calls['litecoin-cli']).toContain('-rpcport=23000')
  })

  it('to a node with a token carry the token alone', () => {
    const calls = callSnippets({ ...bitcoin, chain: 'eth', network: 'mainnet', auth: { type: 'jwt' } })
    expect(Object.keys(calls)).toEqual(['curl', 'JavaScript fetch', 'viem'])
    for (const call of Object.values(calls)) expect(call).toMatch(/Bearer (\$|. \+)/)
  })

  it('to a cluster that is open to some addresses carry nothing', () => {
    for (const call of Object.values(callSnippets({ ...bitcoin, auth: { type: 'none' } }))) expect(call).not.toMatch(/Authorization|-u /)
  })
})
