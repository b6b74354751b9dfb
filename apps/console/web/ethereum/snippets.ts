import type { Project } from '@trestle/contracts/eth-rpc/projects'

type Endpoint = Pick<Project, 'url' | 'requireToken'>

/** A call by curl, quoted for a POSIX shell. */
export function curlOf({ url, requireToken }: Endpoint, body: string): string {
  const lines = [
    `curl -s ${quoted(url)}`,
    `-H 'Content-Type: application/json'`,
    ...(requireToken ? [`-H "Authorization: Bearer $TOKEN"`] : []),
    `-d ${quoted(body)}`,
  ]
  return lines.join(' \\\n  ')
}

/** Between single quotes a shell changes nothing; one of them has to stand outside. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** The same first call in common languages. */
export function snippetsOf(project: Endpoint): Record<string, string> {
  const { url, requireToken } = project
  const token = 'process.env.TOKEN'
  const viem = requireToken ? `http('${url}', { fetchOptions: { headers: { Authorization: \`Bearer \${${token}}\` } } })` : `http('${url}')`
  return {
    curl: curlOf(project, '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}'),
    viem: `import { createPublicClient, http } from 'viem'

const client = createPublicClient({ transport: ${viem} })
console.log(await client.getBlockNumber())`,
    ethers: requireToken
      ? `import { FetchRequest, JsonRpcProvider } from 'ethers'

const request = new FetchRequest('${url}')
request.setHeader('Authorization', \`Bearer \${${token}}\`)
const provider = new JsonRpcProvider(request)
console.log(await provider.getBlockNumber())`
      : `import { JsonRpcProvider } from 'ethers'

const provider = new JsonRpcProvider('${url}')
console.log(await provider.getBlockNumber())`,
    WebSocket: webSocketSnippet(url, requireToken),
  }
}

function webSocketSnippet(url: string, requireToken: boolean): string {
  const address = webSocketUrl(url)
  const opening = requireToken
    ? `import WebSocket from 'ws'

const socket = new WebSocket('${address}', { headers: { Authorization: \`Bearer \${process.env.TOKEN}\` } })`
    : `const socket = new WebSocket('${address}')`
  return `${opening}
socket.onopen = () => socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}')
socket.onmessage = ({ data }) => console.log(data)`
}

export function webSocketUrl(url: string): string {
  return url.replace(/^http/, 'ws')
}
