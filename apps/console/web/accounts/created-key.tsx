import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { NewClientKey } from '@trestle/contracts/accounts/client-keys'
import { Hash } from '../parts/copy-button.js'
import { Snippets } from '../parts/snippets.js'
import { accountsTexts } from '../texts/accounts.js'
import { tokenSnippets } from './token-snippets.js'

const texts = accountsTexts.keys

/** The only time a key's secret is shown. */
export function CreatedKeyNotice({ created, note, onDone }: { created: NewClientKey; note?: string; onDone: () => void }) {
  return (
    <Stack>
      <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />}>
        {texts.once} {note}
      </Alert>
      <LabelledValue label={texts.clientId} value={created.clientId} />
      <LabelledValue label={texts.secret} value={created.clientSecret} />
      <Snippets label={texts.snippets} snippets={tokenSnippets(created, location.origin)} />
      <Group justify="flex-end">
        <Button onClick={onDone}>{texts.done}</Button>
      </Group>
    </Stack>
  )
}

function LabelledValue({ label, value }: { label: string; value: string }) {
  return (
    <Stack gap={2}>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Hash value={value} label={label} />
    </Stack>
  )
}
