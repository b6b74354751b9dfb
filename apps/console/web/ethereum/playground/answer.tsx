import { Alert, Badge, Box, Code, Group, Stack, Text } from '@mantine/core'
import { formatBytes } from '../../parts/amount.js'
import { CopyButton } from '../../parts/copy-button.js'
import { ethereumTexts } from '../../texts/ethereum.js'
import { useEthereumChain } from '../chain.js'
import { methodFor } from './playground-form.js'
import { readableResult } from './readable-result.js'
import { callFailure, type PlaygroundCall } from './rpc.client.js'

const texts = ethereumTexts.playground
/** Rendering more would block the browser for seconds. */
const MAX_SHOWN_CHARACTERS = 100_000

/** The outcome of a call in short; screen readers announce it. */
export function CallSummary({ call }: { call: PlaygroundCall }) {
  const { status, milliseconds, answer, bytes: size, method } = call
  const { unit, decimals } = useEthereumChain()
  const failure = callFailure(call)
  const meaning = readableResult(methodFor(method), answer, decimals)
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Badge variant="light" color={failure ? 'red' : 'teal'} tt="none">
          {failure ? texts.failed : texts.succeeded}
        </Badge>
        <Text size="sm" c="dimmed">
          {texts.took(milliseconds, formatBytes(size), status)}
        </Text>
      </Group>
      {failure && (
        <Alert color="red" title={failure.message}>
          {texts.failures[failure.code] ?? texts.failureOfStatus[status] ?? texts.otherFailure}
        </Alert>
      )}
      {meaning && <Text fw={650}>{texts.meanings[meaning.unit](meaning.amount, unit)}</Text>}
    </Stack>
  )
}

/** The raw response. */
export function AnswerListing({ call: { answer } }: { call: PlaygroundCall }) {
  return <Listing text={typeof answer === 'string' ? answer : JSON.stringify(answer, undefined, 2)} label={texts.answer} />
}

/** Text as it is, to be read and copied. */
function Listing({ text, label }: { text: string; label: string }) {
  const isCut = text.length > MAX_SHOWN_CHARACTERS
  return (
    <Box>
      <Box pos="relative">
        <Code block pr={44} mah={480} tabIndex={0} aria-label={label} role="region" style={{ overflow: 'auto' }}>
          {isCut ? text.slice(0, MAX_SHOWN_CHARACTERS) : text}
        </Code>
        <Box pos="absolute" top={6} right={18}>
          <CopyButton value={text} label={texts.copyOf(label)} />
        </Box>
      </Box>
      {isCut && (
        <Text size="sm" c="dimmed">
          {texts.cut}
        </Text>
      )}
    </Box>
  )
}
