import type { FailureKind } from '@trestle/contracts/eth-rpc/failures'
import { Tag } from '../../parts/tag.js'
import { failureTexts } from '../../texts/failures.js'

const COLORS: Readonly<Record<FailureKind, string>> = {
  reverted: 'orange',
  rejected: 'orange',
  invalid: 'gray',
  unserved: 'gray',
  refused: 'grape',
  limited: 'blue',
  unavailable: 'red',
  internal: 'red',
}

export function KindTag({ kind }: { kind: FailureKind }) {
  return <Tag color={COLORS[kind]}>{failureTexts.kinds[kind]}</Tag>
}
