import { ActionIcon, Group, Text, Tooltip } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useState } from 'react'
import { partsTexts } from '../texts/parts.js'
import { CopyButton } from './copy-button.js'

/** A secret, hidden until the user shows it. */
export function Secret({ value, label }: { value: string; label: string }) {
  const [shown, setShown] = useState(false)
  const action = `${shown ? partsTexts.hide : partsTexts.show} ${label}`
  return (
    <Group gap={2} wrap="nowrap" maw="100%">
      <Text component="span" className="mono" style={{ overflowWrap: 'anywhere' }}>
        {shown ? value : '••••••••••••••••'}
      </Text>
      <Tooltip label={action}>
        <ActionIcon variant="subtle" color="gray" onClick={() => setShown(!shown)} aria-label={action} aria-pressed={shown}>
          {shown ? <IconEyeOff size={16} aria-hidden /> : <IconEye size={16} aria-hidden />}
        </ActionIcon>
      </Tooltip>
      <CopyButton value={value} label={`${partsTexts.copy} ${label}`} />
    </Group>
  )
}
