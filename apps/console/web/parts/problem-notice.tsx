import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { messageOf, requestIdOf } from '../platform/problem-message.js'
import { parts } from '../texts/parts.js'

/** What went wrong, and what to do about it. */
export function ProblemNotice({ error, title, retry }: { error: unknown; title?: string; retry?: () => unknown }) {
  const requestId = requestIdOf(error)
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} title={title} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text>{messageOf(error)}</Text>
        {requestId && <Code>{parts.requestId(requestId)}</Code>}
        {retry && (
          <Group>
            <Button size="xs" variant="default" onClick={() => void retry()}>
              {parts.retry}
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  )
}
