"""An RSA key nobody uses, and what OpenSSL signs with it. Written without the usual lines around it on purpose."""

import base64

MESSAGE = b"signed by hand"
SIGNATURE = base64.b64decode(
    "RRcbS1D6vopYbHHMTbCNx4p8bKKniVeONjbyZAQQEDdNCLvu+eC+pg2XxCO9ZmH9dyZgQcwwlsrbsXt6bqWqlX+5xe"
    "2mFdFKCCeAIh8+e1qZydmqFeVZT/EQFUxHuUyQ8aRcXs87OlA29rfN1Fm/2pzKFTxDk0QSlRZ0Ibrluk0="
)
_PKCS8 = (
    "MIICdQIBADANBgkqhkiG9w0BAQEFAASCAl8wggJbAgEAAoGBAK/+IWXa+wOxkqgycW17XpxPii8YBTw5RsBW8JYXAz"
    "b7qELHOQPE7FLm0Plegug6MQ7xPowQCtwDePiy24ntkB43idtV2dQBMyNFXZODb0v8N5TQGB5HfgcNiyskhKuhFotq"
    "IvZKZX94szul40jRZ7EMcWO9gamnsjPWgkQq+pY9AgMBAAECgYAwHe0Hqg1C/0O3lMMKSdaeKej/4zNbOdWsNJjmkD"
    "giyj9AsrNV4nsyV0T/SOXFlFNhYHfXV3OAn7ptVIlNdpQWGmhik9ogYkG8Sarl5OTvgjX6q1k8PaIPYBmGvW/bzKiB"
    "Yby1TTy/wCj1/355uH4Mr0DkYrfmt8YrRI/mk0P2QQJBAOZhE3gcpbzgRQkM2JrO0NYE9sJuWy614G2S0CjXq6+H2J"
    "D0Sqk6dXR8ILConGO9x5lT/CIz7sl45emikpBd7WUCQQDDkKn5Rl01ongeUtnUU7lPqrQ1U3j9i8IgK+ur1GpDKYPs"
    "5cMBHvduEvTGlrHt8D7tInBidvFOrk11KHUCVIP5AkAOlM5ap9WFotw7umhrQ/PL1/yWSc3TowdVaBlsvFnNfleitR"
    "OUqnKMsN6Qz9s2JOjhN4OZ1peigNhsdTG5mXhRAkALNUNIkgvNgx43PrBVRucb9cCWPc51WYkqptm+41Gjv8Fb1l8y"
    "tT+hA10b9I8F//rbRFoEiqSRydOOn171XzqhAkAsbzkKAwk4g5kMORfPvnw3xBGQhZnVNZ0X0x0Wf6xTNYBgK1+k+W"
    "J8akBU61L6BhjOcrblZXk9SR6MTnLMSzMs"
)
_PKCS1 = (
    "MIICWwIBAAKBgQCv/iFl2vsDsZKoMnFte16cT4ovGAU8OUbAVvCWFwM2+6hCxzkDxOxS5tD5XoLoOjEO8T6MEArcA3"
    "j4stuJ7ZAeN4nbVdnUATMjRV2Tg29L/DeU0BgeR34HDYsrJISroRaLaiL2SmV/eLM7peNI0WexDHFjvYGpp7Iz1oJE"
    "KvqWPQIDAQABAoGAMB3tB6oNQv9Dt5TDCknWnino/+MzWznVrDSY5pA4Iso/QLKzVeJ7MldE/0jlxZRTYWB311dzgJ"
    "+6bVSJTXaUFhpoYpPaIGJBvEmq5eTk74I1+qtZPD2iD2AZhr1v28yogWG8tU08v8Ao9f9+ebh+DK9A5GK35rfGK0SP"
    "5pND9kECQQDmYRN4HKW84EUJDNiaztDWBPbCblsuteBtktAo16uvh9iQ9EqpOnV0fCCwqJxjvceZU/wiM+7JeOXpop"
    "KQXe1lAkEAw5Cp+UZdNaJ4HlLZ1FO5T6q0NVN4/YvCICvrq9RqQymD7OXDAR73bhL0xpax7fA+7SJwYnbxTq5NdSh1"
    "AlSD+QJADpTOWqfVhaLcO7poa0Pzy9f8lknN06MHVWgZbLxZzX5XorUTlKpyjLDekM/bNiTo4TeDmdaXooDYbHUxuZ"
    "l4UQJACzVDSJILzYMeNz6wVUbnG/XAlj3OdVmJKqbZvuNRo7/BW9ZfMrU/oQNdG/SPBf/620RaBIqkkcnTjp9e9V86"
    "oQJALG85CgMJOIOZDDkXz758N8QRkIWZ1TWdF9MdFn+sUzWAYCtfpPlifGpAVOtS+gYYznK25WV5PUkejE5yzEszLA"
    "=="
)


def _pem(kind: str, content: str) -> str:
    lines = [content[at : at + 64] for at in range(0, len(content), 64)]
    return "\n".join([f"-----BEGIN {kind}-----", *lines, f"-----END {kind}-----", ""])


PKCS8 = _pem("PRIVATE KEY", _PKCS8)
PKCS1 = _pem("RSA PRIVATE KEY", _PKCS1)
