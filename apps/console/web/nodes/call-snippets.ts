import { chainOfImage } from '@trestle/contracts/chains/chains'
import { isDevelopmentNetwork, isEvm } from './workload.js'

interface CallTarget {
  readonly url: string
  readonly chain: string
  readonly network: string
  readonly auth: { readonly type: string; readonly user?: string; readonly pass?: string }
  /** Where tools that want a host and a port find it. */
  readonly own?: { readonly host: string; readonly port: number }
}

const MINE_TO = 'mqUB4fa19XcG8mbe3u56niFGBpqF4Uegaw'

/** Code that calls a node, in several languages, with the secrets as given. */
export function callSnippets(called: CallTarget): Record<string, string> {
  return isEvm(called.chain) ? evmCalls(called) : bitcoinCalls(called)
}

function evmCalls(called: CallTarget): Record<string, string> {
  const block = { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }
  return {
    curl: curl(called, block),
    'JavaScript fetch': javaScript(called, block),
    viem: viem(called),
    ...(isDevelopmentNetwork(called.network) && {
      'make a block': curl(called, { jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] }),
    }),
  }
}

function bitcoinCalls(called: CallTarget): Record<string, string> {
  const info = { method: 'getblockchaininfo', params: [] }
  return {
    curl: curl(called, info),
    'JavaScript fetch': javaScript(called, info),
    ...(called.own && called.auth.type === 'basic' && { [cliOf(called.chain)]: cli(called, called.own) }),
    REST: `curl -s ${login(called)}'${called.url}/rest/chaininfo.json'`,
    ...(isDevelopmentNetwork(called.network) && { 'make a block': curl(called, { method: 'generatetoaddress', params: [1, MINE_TO] }) }),
  }
}

function curl(called: CallTarget, call: object): string {
  return `curl -s ${login(called)}-H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(call)}' \\\n  '${called.url}'`
}

function login({ auth }: CallTarget): string {
  if (auth.type === 'basic') return `-u '${auth.user}:${auth.pass}' `
  return auth.type === 'jwt' ? `-H "Authorization: Bearer $TOKEN" ` : ''
}

function javaScript(called: CallTarget, call: object): string {
  return `const response = await fetch('${called.url}', {
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',${header(called)}
  },
  body: JSON.stringify(${JSON.stringify(call)}),
})
const { result, error } = await response.json()
console.log(error ?? result)`
}

function header({ auth }: CallTarget): string {
  if (auth.type === 'basic') return `\n    Authorization: 'Basic ' + btoa('${auth.user}:${auth.pass}'),`
  return auth.type === 'jwt' ? "\n    Authorization: 'Bearer ' + process.env.TOKEN," : ''
}

function viem(called: CallTarget): string {
  const given = header(called).trim().replace(/,$/, '')
  const options = given ? `, {\n    fetchOptions: { headers: { ${given} } },\n  }` : ''
  return `import { createPublicClient, http } from 'viem'

const client = createPublicClient({
  transport: http('${called.url}'${options}),
})
console.log(await client.getBlockNumber())`
}

function cliOf(chain: string): string {
  const record = chainOfImage(chain)
  return record?.family === 'bitcoin' ? record.cli : ''
}

function cli({ chain, auth }: CallTarget, { host, port }: { host: string; port: number }): string {
  return `${cliOf(chain)} -rpcconnect=${host} -rpcport=${port} \\\n  -rpcuser='${auth.user}' -rpcpassword='${auth.pass}' getblockchaininfo`
}
