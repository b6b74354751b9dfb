import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { problemMessage, problemRequestId } from '../platform/problem-message.js'
import { partsTexts } from '../texts/parts.js'

/** What went wrong, and what to do about it. */
export function ProblemNotice({ error, title, retry }: { error: unknown; title?: string; retry?: () => unknown }) {
  const requestId = problemRequestId(error)
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} title={title} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text>{problemMessage(error)}</Text>
        {requestId && <Code>{partsTexts.requestId(requestId)}</Code>}
        {retry && (
          <Group>
            <Button size="xs" variant="default" onClick={() => void retry()}>
              {partsTexts.retry}
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  )
}
