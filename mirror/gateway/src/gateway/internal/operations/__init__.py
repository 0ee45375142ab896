"""Operations of the gateway: one typed function per verb, no HTTP."""
