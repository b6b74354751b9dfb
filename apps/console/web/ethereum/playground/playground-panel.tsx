import { Box, Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { Project } from '@trestle/contracts/eth-rpc/projects'
import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import { CopyButton } from '../../parts/copy-button.js'
import { ProblemNotice } from '../../parts/problem-notice.js'
import { Snippets } from '../../parts/snippets.js'
import { ethereumTexts } from '../../texts/ethereum.js'
import { useChain } from '../chain.js'
import { curlOf } from '../snippets.js'
import { AnswerListing, CallResult } from './answer.js'
import { CallFields } from './call-fields.js'
import { CallHistory } from './call-history.js'
import { type CallDraft, draftFor, draftFromQuery, validParams } from './playground-form.js'
import { type PlaygroundCall, rpcRequest, sendCall } from './rpc.client.js'
import { useCallHistory } from './use-call-history.js'

const texts = ethereumTexts.playground

export function PlaygroundPanel({ project }: { project: Project }) {
  const { chain } = useChain()
  const [query, setQuery] = useSearchParams()
  const [draft, setDraft] = useState(() => draftFromQuery(query))
  const [isTried, setTried] = useState(false)
  const [shown, setShown] = useState<PlaygroundCall>()
  const { exchanges, add } = useCallHistory(chain)
  const asking = useMutation({
    mutationFn: (params: readonly unknown[]) => sendCall(chain, project.id, draft.method.name, params),
    onSuccess: (exchange) => {
      setShown(exchange)
      add(exchange)
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    const params = validParams(draft)
    setTried(params === undefined)
    if (!params) return
    setQuery({ method: draft.method.name, params: JSON.stringify(params) }, { replace: true })
    asking.mutate(params)
  }
  function recall(exchange: PlaygroundCall) {
    setDraft(draftFor(exchange.method, [...exchange.params]))
    setShown(exchange)
  }
  return (
    <>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <Card withBorder component="section" miw={0}>
          <form onSubmit={submit} noValidate>
            <Stack>
              <Title order={2} size="h4">
                {texts.request}
              </Title>
              <CallFields draft={draft} onChange={setDraft} isTried={isTried} />
              <Group>
                <Button type="submit" loading={asking.isPending} leftSection={<IconPlayerPlay size={16} aria-hidden />}>
                  {texts.send}
                </Button>
              </Group>
              <RequestPreview draft={draft} project={project} />
            </Stack>
          </form>
        </Card>
        <AnswerPanel exchange={shown} error={asking.error} />
      </SimpleGrid>
      {exchanges.length > 0 && <CallHistory exchanges={exchanges} onRecall={recall} />}
    </>
  )
}

function AnswerPanel({ exchange, error }: { exchange?: PlaygroundCall; error: unknown }) {
  const seen = error ? undefined : exchange
  return (
    <Card withBorder component="section" miw={0} mih={320}>
      <Stack>
        <Title order={2} size="h4">
          {texts.answer}
        </Title>
        <Box aria-live="polite">
          {seen && <CallResult exchange={seen} />}
          {!seen && !error && <Text c="dimmed">{texts.nothingYet}</Text>}
        </Box>
        {error !== null && <ProblemNotice error={error} />}
        {seen && <AnswerListing exchange={seen} />}
      </Stack>
    </Card>
  )
}

/** The request as it goes over the line, and by curl. */
function RequestPreview({ draft, project }: { draft: CallDraft; project: Project }) {
  const params = validParams(draft)
  if (!params) return <Text size="sm">{texts.unfinished}</Text>
  const request = rpcRequest(draft.method.name, params)
  const share = `${location.origin}${location.pathname}?${new URLSearchParams({ method: draft.method.name, params: JSON.stringify(params) })}`
  return (
    <Stack gap="xs">
      <Snippets
        label={texts.request}
        snippets={{ [texts.body]: JSON.stringify(request, undefined, 2), curl: curlOf(project, JSON.stringify(request)) }}
      />
      <Group gap={4}>
        <Text size="sm" c="dimmed">
          {texts.share}
        </Text>
        <CopyButton value={share} label={texts.copyLink} />
      </Group>
    </Stack>
  )
}
