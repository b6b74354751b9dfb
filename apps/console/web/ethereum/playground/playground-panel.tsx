import { Box, Button, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { Project } from '@trestle/contracts/eth-rpc/projects'
import { type FormEvent, useReducer, useState } from 'react'
import { useSearchParams } from 'react-router'
import { CopyButton } from '../../parts/copy-button.js'
import { SectionTitle } from '../../parts/panel.js'
import { ProblemNotice } from '../../parts/problem-notice.js'
import { Snippets } from '../../parts/snippets.js'
import { ethereumTexts } from '../../texts/ethereum.js'
import { useEthereumChain } from '../chain.js'
import { curlOf } from '../snippets.js'
import { AnswerListing, CallSummary } from './answer.js'
import { CallFields } from './call-fields.js'
import { CallHistory } from './call-history.js'
import {
  type CallDraft,
  type PlaygroundEvent,
  type PlaygroundForm,
  playgroundForm,
  queryOf,
  reducePlayground,
  validParams,
} from './playground-form.js'
import { type PlaygroundCall, rpcRequest, sendCall } from './rpc.client.js'
import { useCallHistory } from './use-call-history.js'

const texts = ethereumTexts.playground

export function PlaygroundPanel({ project }: { project: Project }) {
  const { chain } = useEthereumChain()
  const [query, setQuery] = useSearchParams()
  const [form, dispatch] = useReducer(reducePlayground, query, playgroundForm)
  const [shown, setShown] = useState<PlaygroundCall>()
  const { calls, add } = useCallHistory(chain)
  const { draft } = form
  const sending = useMutation({
    mutationFn: (params: readonly unknown[]) => sendCall(chain, project.id, draft.method.name, params),
    onSuccess: (call) => {
      setShown(call)
      add(call)
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    dispatch({ type: 'submitted' })
    const params = validParams(draft)
    if (!params) return
    setQuery(queryOf(draft, params), { replace: true })
    sending.mutate(params)
  }
  function recall(call: PlaygroundCall) {
    dispatch({ type: 'recalled', method: call.method, params: call.params })
    setShown(call)
  }
  return (
    <>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <Card withBorder component="section" miw={0}>
          <form onSubmit={submit} noValidate>
            <RequestFields form={form} dispatch={dispatch} project={project} isSending={sending.isPending} />
          </form>
        </Card>
        <AnswerPanel call={shown} error={sending.error} />
      </SimpleGrid>
      {calls.length > 0 && <CallHistory calls={calls} onRecall={recall} />}
    </>
  )
}

interface RequestFieldsProps {
  form: PlaygroundForm
  dispatch: (event: PlaygroundEvent) => void
  project: Project
  isSending: boolean
}

function RequestFields({ form, dispatch, project, isSending }: RequestFieldsProps) {
  return (
    <Stack>
      <SectionTitle>{texts.request}</SectionTitle>
      <CallFields form={form} dispatch={dispatch} />
      <Group>
        <Button type="submit" loading={isSending} leftSection={<IconPlayerPlay size={16} aria-hidden />}>
          {texts.send}
        </Button>
      </Group>
      <RequestPreview draft={form.draft} project={project} />
    </Stack>
  )
}

function AnswerPanel({ call, error }: { call?: PlaygroundCall; error: unknown }) {
  const answered = error ? undefined : call
  return (
    <Card withBorder component="section" miw={0} mih={320}>
      <Stack>
        <SectionTitle>{texts.answer}</SectionTitle>
        <Box aria-live="polite">
          {answered && <CallSummary call={answered} />}
          {!answered && !error && <Text c="dimmed">{texts.nothingYet}</Text>}
        </Box>
        {error !== null && <ProblemNotice error={error} />}
        {answered && <AnswerListing call={answered} />}
      </Stack>
    </Card>
  )
}

/** The JSON-RPC request, and the curl command for it. */
function RequestPreview({ draft, project }: { draft: CallDraft; project: Project }) {
  const params = validParams(draft)
  if (!params) return <Text size="sm">{texts.unfinished}</Text>
  const request = rpcRequest(draft.method.name, params)
  const share = `${location.origin}${location.pathname}?${new URLSearchParams(queryOf(draft, params))}`
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
