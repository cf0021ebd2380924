"""The marker around what seci puts into a conversation, so that distilling can take it out again."""

CONTEXT_TAG = "seci-context"
