import type { FinalityRule, ServedChain } from '@trestle/contracts/chains/chain'

const HEAD = ['| name | chain | network | id | unit | block, s | final | port |', '|---|---|---|---|---|---|---|---|']

/** docs/chains.md, with its table of the records regenerated. */
export function withChainsTable(text: string, chains: readonly ServedChain[]): string {
  const table = [...HEAD, ...chains.map(row)].join('\n')
  return text.replace(
    /(<!-- Made by `npm run routes`\. -->\n).*?(<!-- End\. -->)/s,
    (_, begin: string, end: string) => `${begin}${table}\n${end}`,
  )
}

function row(chain: ServedChain): string {
  const { name, title, isDefault, unit, blockSeconds, port } = chain
  const cells = [
    `\`${name}\`${isDefault ? ' *' : ''}`,
    title,
    networksOf(chain),
    chain.family === 'evm' ? chain.chainId : '',
    unit,
    blockSeconds,
    finalityOf(chain),
    port,
  ]
  return `| ${cells.join(' | ')} |`
}

const FINALITY = {
  nodes: 'as its nodes say',
  beacon: 'by its beacon chain',
  l1: 'by its L1',
  milestones: 'by milestones',
  instant: 'at once',
} satisfies Record<Extract<FinalityRule, string>, string>

function networksOf(chain: ServedChain): string {
  return chain.family === 'bitcoin' ? Object.keys(chain.networks).join(', ') : chain.network
}

function finalityOf(chain: ServedChain): string {
  if (chain.family === 'bitcoin') return 'by confirmations'
  const { finality } = chain
  return typeof finality === 'string' ? FINALITY[finality] : `${finality.depth} blocks deep`
}
