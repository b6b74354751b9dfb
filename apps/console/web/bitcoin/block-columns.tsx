import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { formatBytes, formatCount } from '../parts/amount.js'
import { Hash } from '../parts/copy-button.js'
import type { Column } from '../parts/data-table.js'
import { Time } from '../parts/time.js'
import { bitcoinTexts } from '../texts/bitcoin.js'
import type { BlockSummary } from './latest-blocks.client.js'

const texts = bitcoinTexts.blocks

export function blockColumns(at: (path: string) => string): readonly Column<BlockSummary>[] {
  return [
    {
      name: 'height',
      header: texts.height,
      width: '110px',
      cell: ({ height, hash }) => (
        <Anchor component={Link} to={at(`/block/${hash}`)} size="sm">
          {formatCount(height)}
        </Anchor>
      ),
    },
    { name: 'time', header: texts.time, width: '150px', cell: ({ time }) => <Time value={time * 1000} /> },
    { name: 'transactions', header: texts.transactions, width: '120px', align: 'right', cell: ({ txlength }) => formatCount(txlength) },
    { name: 'size', header: texts.size, width: '110px', align: 'right', cell: ({ size }) => formatBytes(size) },
    { name: 'hash', header: texts.hash, width: '2fr', cell: ({ hash }) => <Hash value={hash} short label={texts.copyHash} /> },
  ]
}
