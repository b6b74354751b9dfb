import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { partsTexts } from '../texts/parts.js'

/** A button that copies. Plain, as rows of long tables have one each. */
export function CopyButton({ value, label = partsTexts.copy }: { value: string; label?: string }) {
  const { copied, copy } = useClipboard({ timeout: 1000 })
  const name = copied ? partsTexts.copied : label
  const Icon = copied ? IconCheck : IconCopy
  return (
    <button type="button" className="icon-button" data-done={copied} title={name} aria-label={name} onClick={() => copy(value)}>
      <Icon size={16} aria-hidden />
    </button>
  )
}

/** A hash, id or address: whole for copying, shortened in the middle where `short`. */
export function Hash({ value, short, label }: { value: string; short?: boolean; label?: string }) {
  const shown = short && value.length > 20 ? `${value.slice(0, 10)}…${value.slice(-6)}` : value
  return (
    <span className="hash">
      <span className="mono" title={value}>
        {shown}
      </span>
      <CopyButton value={value} label={label} />
    </span>
  )
}
